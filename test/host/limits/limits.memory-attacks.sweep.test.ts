import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { type HostProcess, startHostProcess } from '../../support/host-process.js'
import { request } from '../../support/http.js'
import { type LargeRequest, sendLarge } from '../../support/large-request.js'
import { amount } from '../../support/sweep.js'

const MIB = 2 ** 20
const GIB = 2 ** 30
const ID = 'A'.repeat(16)

const card = (path: string): LargeRequest => ({
  path,
  type: 'application/octet-stream',
  bytes: 50 * MIB,
  filling: '%PDF-1.7 1 0 obj <<>> endobj ',
})
const json = {
  path: '/api',
  type: 'application/json',
  bytes: 10 * MIB,
  start: '{"signature":"',
  filling: 'A',
  end: '"}',
}

describe('a host that has a gigabyte of memory', () => {
  const folder = mkdtempSync(join(tmpdir(), 'registry-memory-'))
  let host: HostProcess
  let url: string
  before(async () => {
    const env = { DATA_DIR: folder, MTLS_PORT: 'off', NODE_OPTIONS: '--max-old-space-size=512' }
    host = startHostProcess(env, undefined, { memory: GIB })
    url = await host.url
  })
  after(async () => {
    await host?.end('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  })

  const attacks = [
    ['10 MiB of JSON from eight addresses', 8, 8, json],
    ['50 MiB of a card to parse from one address', 1, 32, card('/api/parseDDC')],
    ['50 MiB of a card to check from one address', 1, 32, card('/api/checkDDC')],
    ['50 MiB of a PDF to look at from one address', 1, 32, card('/api/checkPDFForDDC')],
    ['50 MiB of an original to draw from one address', 1, 32, card(`/api/${ID}/buildDDC`)],
    ['50 MiB of an original for partners from one address', 1, 32, card(`/api/${ID}/buildPartnerCMS`)],
  ] as const
  for (const [what, addresses, each, body] of attacks.slice(0, amount(2, attacks.length))) {
    it(`lives while ${addresses * each} requests bring ${what}`, async () => {
      const answers = await Promise.all(
        Array.from({ length: addresses * each }, (_, at) => sendLarge(url, `127.0.3.${1 + (at % addresses)}`, body)),
      )
      expect((await request(`${url}/healthz`)).status).to.equal(200)
      expect((await request(`${url}/api/version`)).status).to.equal(200)
      expect(host.child.exitCode, 'it ended').to.equal(null)
      const untold = answers.filter((answer) => !/^(?:4\d\d|503) /.test(answer))
      // Bodies may be ended that are coming while memory is short, and nothing fails in a way that nobody foresaw.
      expect(untold.filter((answer) => answer !== 'none')).to.deep.equal([])
    })
  }
})
