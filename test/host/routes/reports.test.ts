import { createHash } from 'node:crypto'
import type { SignedReport } from '@signed-registry/core/reports'

import { expect } from 'chai'
import { verifyReport } from '#verifier/notes/report-note.js'
import { openSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { request } from '../../support/http.js'
import { logInOverHttp } from '../../support/login-over-http.js'

const TEXT = Buffer.from('a contract')

describe('POST /api/makeReport', () => {
  let host: TestHost
  before(async () => {
    host = await startTestHost(openSqlite)
  })
  after(() => host.close())

  const post = (cookie?: string) => {
    const signer = host.authorities.named('person-2')
    const digests = { '2.16.840.1.101.3.4.2.1': createHash('sha256').update(TEXT).digest('base64') }
    const signature = signer.signCms(TEXT, { timeStamp: true, ocsp: true }).toString('base64')
    return request<SignedReport>(`${host.url}/api/makeReport`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(cookie && { cookie }) },
      body: JSON.stringify({
        signatures: [{ name: 'contract.p7s', signature }],
        documents: [{ name: 'contract.txt', digests }],
        language: 'kk',
      }),
    })
  }

  it('answers a report whose note is checked with the key of GET /api/statementKey', async () => {
    const { status, json: report } = await post()
    expect(status).to.equal(200)
    expect(report).to.include({ outcome: 'proved' })
    expect(report.timeStamp).to.deep.equal({ state: 'notAsked' })
    const { json } = await request<{ verifierKey: string }>(`${host.url}/api/statementKey`)
    expect(json.verifierKey).to.match(/^127\.0\.0\.1:\d+\+[0-9a-f]{8}\+[A-Za-z0-9+/=]{44}$/)
    expect(verifyReport(Buffer.from(report.html), report.note ?? '', json.verifierKey)).to.include({ origin: host.url })
    expect(report.html).to.include('<html lang="kk">')
  })

  it('has it time-stamped for who is logged in', async () => {
    const cookie = await logInOverHttp(host.url, host.authorities.person({ use: 'authentication' }))
    const { json } = await post(cookie)
    expect(json.timeStamp.state).to.equal('made')
  })
})
