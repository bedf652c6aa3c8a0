import { createHash } from 'node:crypto'
import {
  AuthorityUnavailable,
  anonymous,
  type Caller,
  createRegistry,
  provideValue,
  type Registry,
  type RegistryOptions,
  StatusSource,
  TimestampSource,
  TrustStore,
} from '@signed-registry/core'
import { GetStatementKey, MakeReport, type MakeReportRequest } from '@signed-registry/core/reports'
import { expect } from 'chai'
import { verifyReport } from '#verifier/notes/report-note.js'
import { verifyTimeStamp } from '#verifier/timestamp/verify-time-stamp.js'
import { employeeCaller, personCaller, systemCaller } from '../../support/core-registry.js'
import { openSqlite } from '../../support/databases.js'
import { NOW, testAuthorities, testClock } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'
import { rejectionOf } from '../../support/refusal.js'
import { STATEMENT_KEY } from '../../support/statement-key.js'

const SHA256 = '2.16.840.1.101.3.4.2.1'
const TEXT = Buffer.from('a contract')
const evidence = { timeStamp: true, ocsp: true }

describe('reports that the registry makes', () => {
  const clock = testClock()
  const authorities = testAuthorities({ clock })
  const trust = trustOf(authorities)
  const signer = authorities.person()
  let asked = 0
  let tsp: TimestampSource['timestamp']
  const plugin = {
    name: 'counted-authorities',
    provides: [
      provideValue(TrustStore, { trust: () => trust, state: () => ({ loadedAt: NOW, anchors: 1 }) }),
      provideValue(StatusSource, {
        urlFor: () => undefined,
        status: () => Promise.reject(new Error('Nobody asks for a status')),
      }),
      provideValue(TimestampSource, {
        url: 'http://tsa.test/',
        timestamp(request, options) {
          asked += 1
          return tsp(request, options)
        },
      }),
    ],
  }
  const open = async (options: Partial<RegistryOptions> = {}) =>
    createRegistry({ clock, database: await openSqlite(), plugins: [plugin], ...options })
  let registry: Registry
  before(async () => {
    registry = await open({ statementKey: STATEMENT_KEY, limits: { stampedReportsPerHour: 2 } })
  })
  after(() => registry.close())
  beforeEach(() => {
    asked = 0
    clock.time += 60 * 60_000
    tsp = async (request) => authorities.tsa.respond(request)
  })

  const document = (bytes: Buffer, name = 'contract.txt') => ({
    name,
    size: bytes.length,
    digests: { [SHA256]: createHash('sha256').update(bytes).digest('base64') },
  })
  const signature = () => ({ name: 'contract.p7s', signature: signer.signCms(TEXT, evidence).toString('base64') })
  const made = (request: Partial<MakeReportRequest> = {}, caller: Caller = anonymous, by = registry) =>
    by
      .get(MakeReport)
      .execute(caller, { request: { signatures: [signature()], documents: [document(TEXT)], ...request } })
  const key = () => registry.get(GetStatementKey).execute()

  it('are signed in each of their forms, and can be checked offline', async () => {
    const report = await made({ language: 'en' })
    expect(report.outcome).to.equal('proved')
    const { verifierKey } = key()
    for (const form of ['json', 'html', 'xml'] as const) {
      const read = verifyReport(Buffer.from(report[form]), report.note ?? '', verifierKey)
      expect(read).to.include({ form, origin: 'http://127.0.0.1:8080' })
    }
    const changed = report.html.replace('Proved', 'proved')
    expect(() => verifyReport(Buffer.from(changed), report.note ?? '', verifierKey)).to.throw('Signed note')
  })

  it('say that a document is not the signed one', async () => {
    const report = await made({ documents: [document(Buffer.from('another'))] })
    expect(report.outcome).to.equal('wrong')
    expect(JSON.parse(report.json)).to.deep.include({ outcome: 'wrong', indication: 'TOTAL-FAILED' })
    expect(report.html).to.include('НЕВЕРНО')
  })

  it('say which hashes were given, and which were computed', async () => {
    const { json } = await made()
    expect(JSON.parse(json).files.map(({ name, isGiven }: Record<string, unknown>) => [name, isGiven])).to.deep.equal([
      ['contract.p7s', false],
      ['contract.txt', true],
    ])
  })

  it('are time-stamped for authenticated callers, within an hourly limit', async () => {
    for (const caller of [personCaller(), systemCaller()]) {
      const { note = '', timeStamp } = await made({}, caller)
      expect(timeStamp.state).to.equal('made')
      const token = Buffer.from(timeStamp.token ?? '', 'base64')
      const stamp = verifyTimeStamp(token, Buffer.from(note), { trust, now: clock.time })
      expect(stamp.genTime).to.equal(timeStamp.genTime)
    }
    expect((await made({}, employeeCaller())).timeStamp.state).to.equal('made')
    // A person is the same person as an employee.
    expect((await made({}, personCaller())).timeStamp).to.deep.equal({ state: 'limitReached' })
    expect(asked).to.equal(3)
    clock.time += 60 * 60_000
    expect((await made({}, personCaller())).timeStamp.state).to.equal('made')
  })

  it('are not time-stamped on a stranger’s word, and no authority is asked', async () => {
    const { note, timeStamp } = await made()
    expect(note).to.be.a('string')
    expect(timeStamp).to.deep.equal({ state: 'notAsked' })
    expect(asked).to.equal(0)
  })

  it('come without a time stamp, and say so, when the authority fails', async () => {
    tsp = () => Promise.reject(new AuthorityUnavailable('unreachable', false))
    const { note, timeStamp, outcome } = await made({}, personCaller())
    expect({ timeStamp, outcome }).to.deep.equal({ timeStamp: { state: 'unavailable' }, outcome: 'proved' })
    expect(note).to.be.a('string')
  })

  it('of large signatures are made by another thread, and are the same', async () => {
    const large = Buffer.alloc(200_000, 'pages')
    const carried = signer.signCms(large, { ...evidence, detached: false }).toString('base64')
    const { outcome, json } = await made({ signatures: [{ name: 'large.p7m', signature: carried }], documents: [] })
    expect(outcome).to.equal('proved')
    expect(JSON.parse(json).signatures[0]).to.include({ document: 'carried', file: 'large.p7m' })
  })

  it('are refused for requests that are out of bounds', async () => {
    const refused = async (request: Partial<MakeReportRequest>) => {
      const { code } = await rejectionOf(made(request))
      return code
    }
    expect(await refused({ signatures: [], documents: [] })).to.equal('invalidJsonStructure')
    expect(await refused({ signatures: Array.from({ length: 17 }, signature) })).to.equal('invalidJsonStructure')
    expect(await refused({ documents: [document(TEXT), document(TEXT)] })).to.equal('invalidJsonStructure')
    expect(await refused({ documents: [{ name: 'a', digests: { [SHA256]: '???' } }] })).to.equal('invalidJsonStructure')
    const xml = { name: 'a.xml', signature: `<a>${' '.repeat(512 * 1024)}</a>` }
    expect(await refused({ signatures: [xml] })).to.equal('bodyTooLarge')
  })

  it('say which bytes of a file an embedded signature covers', async () => {
    const { signature: cms } = signature()
    const file = { ...document(Buffer.from('a contract and more'), 'a.pdf'), size: 19 }
    const over = { name: 'a.pdf', digests: document(TEXT).digests, ranges: [[0, 10]] }
    const { outcome, html } = await made({ signatures: [{ name: 'a.pdf', signature: cms, over }], documents: [file] })
    expect(outcome).to.equal('unknown')
    expect(html).to.include('байты 0–10').and.include('подписана только часть')
  })

  it('say that a file without a signature is invalid', async () => {
    const { outcome } = await made({ signatures: [{ name: 'a', signature: 'rubbish' }], documents: [] })
    expect(outcome).to.equal('wrong')
  })

  it('are not signed by a registry without a key', async () => {
    const keyless = await open()
    const { note, timeStamp, outcome } = await made({}, personCaller(), keyless)
    expect({ note, timeStamp, outcome }).to.deep.equal({
      note: undefined,
      timeStamp: { state: 'notAsked' },
      outcome: 'proved',
    })
    const { code } = await rejectionOf(Promise.resolve().then(() => keyless.get(GetStatementKey).execute()))
    expect(code).to.equal('statementKeyMissing')
    await keyless.close()
  })

  it('need an Ed25519 key: a registry with another one does not start', async () => {
    const { message } = await open({ statementKey: 'nothing' }).then(
      () => new Error('It started'),
      (error: Error) => error,
    )
    expect(message).to.equal('statementKey holds no PEM key that can be read without a password')
  })
})
