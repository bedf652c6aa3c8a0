import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ArchiveStore, provideValue } from '@signed-registry/core'
import type { BegunProcedure } from '@signed-registry/core/procedures'

import { addressIn, DevAuthorities, devAuthorities, localCertificate } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { devPhone as command } from '#dev-authorities/dev-phone-command.js'
import { openSqlite } from '../../support/databases.js'
import { giveDevAuthorities } from '../../support/dev-authorities-folder.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { signNonce } from '../../support/login.js'
import { MemoryStore } from '../../support/memory-store.js'
import { SystemClient } from '../../support/systems.js'

const DEV_PHONE = fileURLToPath(new URL('../../../plugins/dev-authorities/bin/dev-phone.js', import.meta.url))
const ORIGINAL = Buffer.from('Договор')

describe('dev-phone', () => {
  let folder: string
  let host: TestHost
  let people: SystemClient
  let cookie: string
  let of: string
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'registry-dev-phone-'))
    giveDevAuthorities(folder)
    const authorities = DevAuthorities.create({ folder: join(folder, 'dev-authorities') })
    const { cert, key } = localCertificate(folder)
    const store = { name: 'memory', provides: [provideValue(ArchiveStore, new MemoryStore())] }
    const tls = { cert: Buffer.from(cert), key: Buffer.from(key) }
    host = await startTestHost(openSqlite, { authorities, tls, plugins: [devAuthorities({ authorities }), store] })
    people = new SystemClient(Number(new URL(host.url).port), undefined, { ca: cert, rejectUnauthorized: true })
    const person = authorities.named('person-2')
    const { nonce } = (await people.ask('POST', '/auth', {})).json
    const login = await people.ask('POST', '/auth', {
      nonce,
      signature: signNonce(authorities.named('person-2-auth'), String(nonce)),
    })
    cookie = String(login.headers['set-cookie']).split(';')[0] ?? ''
    const signature = person.signCms(ORIGINAL, { timeStamp: true, ocsp: true }).toString('base64')
    const settings = { tempStorageAfterRegistration: 3_600_000 }
    const { documentId } = (await people.ask('POST', '', { title: 'договор.txt', signature, settings })).json
    of = `/${documentId}`
    expect((await people.ask('POST', `${of}/data`, ORIGINAL)).status).to.equal(200)
  })
  after(async () => {
    people.close()
    await host.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Runs the command as a user does. */
  const devPhone = (...args: string[]) =>
    new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      const env = { PATH: process.env.PATH, DATA_DIR: folder }
      execFile(process.execPath, [DEV_PHONE, ...args], { env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
      )
    })
  const begin = async () =>
    (await people.ask<BegunProcedure>('POST', `${of}/govQr`, { description: 'Подпишите' }, { cookie })).json
  const record = async ({ operationId }: BegunProcedure) =>
    (await people.ask('GET', `${of}/govOperation/${operationId}`, undefined, { cookie })).json

  it('follows a link and signs', async () => {
    const begun = await begin()
    const { code, stdout } = await devPhone('--as', 'person-1', '--insecure', begun.govMobileLaunchLink)
    expect([code, stdout]).to.deep.equal([0, 'Test registry asks: Подпишите\n  договор.txt\nsigned\n'])
    expect(await record(begun)).to.include({ status: 'done' })
  })

  it('takes the text of the code, and refuses with --cancel', async () => {
    const begun = await begin()
    const text = `mobileSign:${addressIn(begun.govBusinessLaunchLink).replace('?mgovSign', '')}`
    const { code, stdout } = await devPhone('--insecure', text, '--as', 'head-1', '--cancel')
    expect([code, stdout.split('\n').at(-2)]).to.deep.equal([0, 'refused'])
    expect(await record(begun)).to.include({ status: 'canceled' })
  })

  it('signs otherwise with --method, and says what the service answered', async () => {
    const begun = await begin()
    const how = ['--as', 'person-1', '--method', 'XML', '--insecure']
    const { code, stderr } = await devPhone(...how, begun.govMobileLaunchLink)
    expect(code).to.equal(1)
    expect(stderr).to.match(/^dev-phone: the service answered 403: \{"message":"eGov mobile data exchange failed"/)
    expect(await record(begun)).to.deep.include({
      status: 'fail',
      errors: { gov: 'eGov mobile data exchange failed', egov: 'eGov mobile data exchange failed' },
    })
  })

  it('names the way of each document with --method MIX_SIGN', async () => {
    const begun = await begin()
    const { stdout } = await devPhone(
      '--as',
      'person-2',
      '--method',
      'MIX_SIGN',
      '--insecure',
      begun.govMobileLaunchLink,
    )
    expect(stdout).to.match(/signed\n$/)
    expect(await record(begun)).to.include({ status: 'done' })
  })

  it('believes no host with a certificate of its own unless it is told to', async () => {
    const begun = await begin()
    const { code, stderr } = await devPhone('--as', 'person-1', begun.govMobileLaunchLink)
    expect(code).to.equal(1)
    // Node 24 adds what may help.
    expect(stderr).to.match(/^dev-phone: self-signed certificate[^\n]*\nTry: dev-phone --help\n$/)
    expect(await record(begun)).to.include({ status: 'new' })
  })

  it('says what is wrong with what it was given', async () => {
    const { error } = console
    const said: string[] = []
    console.error = (text: string) => void said.push(text)
    try {
      expect(await command(['--as', 'nobody', 'mobileSign:https://a.kz/'])).to.equal(1)
      expect(await command(['--as', 'person-1'])).to.equal(1)
      expect(await command(['--as', 'person-1', '--fast', 'mobileSign:https://a.kz/'])).to.equal(1)
    } finally {
      console.error = error
    }
    expect(said.join('\n')).to.match(
      /--as must be one of person-1, (.|\n)*exactly one link(.|\n)*Unknown option '--fast'/,
    )
  })
})
