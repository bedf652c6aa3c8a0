import { createPublicKey } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pem } from '@signed-registry/dev-authorities'
import { verifierKey } from '@signed-registry/verifier'
import { expect } from 'chai'
import { readConfig } from '#host/config/config.js'
import { logOptions, logOptionsOfCommand } from '#host/log/log-options.js'
import { LOG_KEY } from '../../support/log-key.js'
import { presentAuthorities } from '../../support/pki/authorities.js'

describe('the log of a host', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-log-options-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const configured = (env: Record<string, string> = {}) => readConfig({ DATA_DIR: folder, ...env })
  const written = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }

  it('has a key that is made once, and its mark in the folder of the host', () => {
    const first = logOptions(configured())
    expect(first).to.deep.equal({ folder, key: readFileSync(join(folder, 'log.key'), 'utf8') })
    expect(logOptions(configured())).to.deep.equal(first)
  })

  it('has the key, the origin and the time-stamping authority that are configured', () => {
    const trust = written(
      'anchors.pem',
      presentAuthorities()
        .anchors.map((der) => pem('CERTIFICATE', der))
        .join(''),
    )
    const given = logOptions(
      configured({
        ...{ LOG_KEY: written('mine.key', LOG_KEY), LOG_ORIGIN: 'registry.example/log' },
        ...{ TRUST_ANCHORS: trust, TSP_URL: 'http://tsp.example/', LOG_TSP_URL: 'http://other.example/tsp' },
      }),
    )
    expect([given.key, given.origin]).to.deep.equal([LOG_KEY, 'registry.example/log'])
    expect(given.timestamps?.url).to.equal('http://other.example/tsp')
    expect(readdirSync(folder)).to.not.include('log.key')
  })

  it('makes a key of a witness only for one', () => {
    logOptions(configured())
    expect(readdirSync(folder)).to.not.include('witness.key')
    const key = verifierKey('other.example/log', createPublicKey(LOG_KEY))
    const policy = written('policy', `log ${key}\nquorum none\n`)
    const given = logOptions(configured({ LOG_WITNESS_FOR: policy }))
    expect(given).to.include({ witnessKey: readFileSync(join(folder, 'witness.key'), 'utf8') })
  })

  it('is off where the configuration says so, with its mark, and no key is made', () => {
    for (const options of [logOptions, logOptionsOfCommand])
      expect(options(configured({ LOG: 'off' }))).to.deep.equal({ isOn: false, folder })
    expect(readdirSync(folder)).to.deep.equal([])
  })

  it('gets no key from commands', () => {
    expect(logOptionsOfCommand(configured())).to.deep.equal({ folder })
    expect(readdirSync(folder)).to.deep.equal([])
    const key = written('log.key', LOG_KEY)
    expect(logOptionsOfCommand(configured())).to.deep.equal({ folder, key: readFileSync(key, 'utf8') })
  })
})
