import { expect } from 'chai'
import { sourceOf } from '#verifier/byte-source.js'
import { evidenceErrors } from '#verifier/evidence/errors.js'
import { outcomeOfProblem, problemOf } from '#verifier/evidence/problem.js'
import { type EvidenceOptions, verifyEvidence } from '#verifier/evidence/verify-evidence.js'
import { reportWords } from '#verifier/report/words.js'
import { reportJson, reportOf } from '#verifier/report.js'
import { reportHtml } from '#verifier/report-html.js'
import { reportXml } from '#verifier/report-xml.js'
import { type Bundled, type Lies, makeBundle, replaced, statementKey } from '../support/evidence/bundle.js'
import { withRecords } from '../support/evidence/with-records.js'
import { builtBytes, bundleOf } from '../support/evidence-bundle.js'
import { type LogOfBundle, loggedBundle } from '../support/log/logged-bundle.js'
import { DAY, NOW, testAuthorities } from '../support/pki/authorities.js'
import { OIDS, YEAR } from '../support/pki/records.js'
import { trustOf } from '../support/pki/trust.js'

const evidence = { timeStamp: true, ocsp: true }
const TEXT = Buffer.from('a contract')
const NASTY = `<b>&"']]>`
const LANGUAGES = ['en', 'ru', 'kk'] as const

describe('reports on evidence bundles', () => {
  const authorities = testAuthorities()
  const trust = trustOf(authorities)
  const cms = authorities.person().signCms(TEXT, evidence)
  const contract: Bundled = { title: 'contract.txt', content: TEXT, signed: [cms] }
  const alone = { ...contract, inside: false }
  const judge = async (documents: readonly Bundled[], lies: Lies = {}, options: Partial<EvidenceOptions> = {}) =>
    verifyEvidence(await makeBundle(documents, [...authorities.anchors, ...authorities.intermediates], lies), {
      ...{ trust, at: NOW },
      ...options,
    })
  const changed = { changed: replaced('README.txt', Buffer.from('other')) }
  /** Values of named data of an XML report, in their order. */
  const named = (xml: string, name: string) =>
    [...xml.matchAll(new RegExp(`report/v2#${name}</vr:Type><vr:Value>([^<]*)<`, 'g'))].map(([, value]) => value)

  it('tell what the registry says apart from what is proved', async () => {
    const report = reportOf(await judge([contract], {}, { key: statementKey }))
    expect(report).to.deep.include({ version: 2, outcome: 'proved', indication: 'TOTAL-PASSED' })
    expect(report.evidence).to.deep.include({ problems: [], strangers: [], signedBy: 'trusted' })
    const [said] = report.evidence?.registrySays?.documents ?? []
    expect(said).to.deep.include({ documentId: 'document-1', storedAt: '2026-06-01T12:00:00.000Z', size: TEXT.length })
    expect(said?.digests.map(({ algorithm }) => algorithm)).to.include('SHA-256')
    expect(said?.signatures).to.deep.equal([{ signId: 1, file: 'cms/1.p7s', storedAt: '2026-06-01T12:00:00.000Z' }])
    const page = reportHtml(report)
    const [proved = '', fromRegistry = ''] = page.split('What the registry says')
    expect(fromRegistry).to.include('document-1').and.include('The signatures do not prove this')
    expect(proved).to.not.include('document-1</').and.not.include('registry.example')
  })

  it('say whose word it is, of a key that nobody gave, of another, and of none', async () => {
    for (const [lies, key, state] of [
      [{}, undefined, 'notTrusted'],
      [{}, statementKey, 'trusted'],
      [{}, `other${statementKey}`, 'otherKey'],
      [{ note: 'another' }, statementKey, 'wrong'],
      [{ note: 'none' }, statementKey, 'missing'],
    ] as const)
      for (const language of LANGUAGES) {
        const report = reportOf(await judge([contract], lies, key === undefined ? {} : { key }), { language })
        expect(report.evidence?.signedBy).to.equal(state)
        expect(reportHtml(report)).to.include(reportWords[language].evidence.signedBy[state])
      }
  })

  it('never say that a changed bundle is right, though every signature in it is', async () => {
    const verdict = await judge([contract], changed)
    const report = reportOf(verdict)
    expect(report).to.deep.include({ outcome: 'wrong', indication: 'TOTAL-FAILED', subIndication: 'FORMAT_FAILURE' })
    expect(report.signatures[0]).to.include({ indication: 'TOTAL-PASSED' })
    expect(report.evidence?.problems).to.deep.equal([
      { code: 'fileChanged', file: 'README.txt', outcome: 'wrong', ...reportWords.en.evidence.problem.fileChanged },
    ])
    for (const language of LANGUAGES) {
      const page = reportHtml(reportOf(verdict, { language }))
      expect(page).to.include(reportWords[language].evidence.outcome.wrong)
      expect(page).to.include(reportWords[language].evidence.problem.fileChanged.says).and.include('README.txt')
    }
    expect(named(reportXml(verdict), 'evidenceProblem')).to.deep.equal(['fileChanged: README.txt'])
  })

  it('are open, and no indication of a document is missing, where the key is another', async () => {
    const report = reportOf(await judge([contract], {}, { key: `other${statementKey}` }))
    expect(report).to.include({ outcome: 'unknown', indication: 'INDETERMINATE', subIndication: undefined })
  })

  it('prove nothing about a document that nobody showed, and name one that is none of the bundle’s', async () => {
    const documents = [{ name: 'contract.txt', document: sourceOf(Buffer.from('another')) }]
    const verdict = await judge([alone], {}, { documents })
    const report = reportOf(verdict)
    expect(report.outcome).to.equal('unknown')
    expect(report.evidence?.strangers).to.deep.equal(['contract.txt'])
    const { original, stranger } = reportWords.en.evidence
    const page = reportHtml(report)
    expect(page).to.include(`<dt>contract.txt</dt><dd><strong>${stranger}`)
    expect(page).to.include(`<dt>contract.txt</dt><dd><strong>${original.notShown}`).and.not.include('signed by')
    const xml = reportXml(verdict)
    expect(named(xml, 'evidenceOriginal')).to.deep.equal(['notShown'])
    expect(named(xml, 'evidenceStranger')).to.deep.equal(['contract.txt'])
  })

  it('say beside each signature in XML what the registry says of its document alone', async () => {
    const other = {
      title: 'other.txt',
      content: Buffer.from('other'),
      signed: [authorities.person().signCms(Buffer.from('other'), evidence)],
    }
    const xml = reportXml(await judge([contract, other]))
    expect(named(xml, 'registrySaysDocument')).to.deep.equal(['document-1', 'document-2'])
    expect(named(xml, 'registrySaysOrigin')).to.deep.equal(['https://registry.example', 'https://registry.example'])
    expect(named(xml, 'registryWordSignedBy')).to.deep.equal(['notTrusted', 'notTrusted'])
  })

  it('do not grow with what hostile bundles say beside each signature', async () => {
    const many = Array.from({ length: 100 }, (_, index) => ({
      name: `${index}`,
      content: Buffer.from(''),
      streamed: false,
    }))
    const title = 'x'.repeat(100_000)
    const verdict = await judge([{ ...alone, title }], { changed: (files) => [...files, ...many] })
    expect(reportXml(verdict).length).to.be.below(60_000)
    const problems = Array.from({ length: 100 }, (_, index) => ({ code: 'fileChanged', file: `${index}` }) as const)
    const xml = reportXml({ ...verdict, evidence: { ...verdict.evidence, problems } })
    expect(named(xml, 'evidenceProblem')).to.have.length(20)
    expect(named(xml, 'evidenceProblems')).to.deep.equal(['100'])
  })

  it('escape what registries say, and are the same bytes for the same verdict', async () => {
    const verdict = await judge([{ ...alone, title: NASTY }], { origin: NASTY })
    const page = reportHtml(reportOf(verdict))
    expect(page)
      .to.not.include('<b>')
      .and.not.match(/<script|<img|<link|https?:/)
    expect(page).to.include('&lt;b&gt;&amp;')
    expect(reportHtml(reportOf(verdict))).to.equal(page)
    expect(reportJson(reportOf(verdict))).to.equal(reportJson(reportOf(verdict)))
    expect(reportXml(verdict)).to.equal(reportXml(verdict)).and.not.include('<b>')
  })

  it('say of a file that cannot be read as a bundle what is wrong, and nothing of a registry', async () => {
    const later = await judge([contract], { version: '2.0' })
    const report = reportOf(later)
    expect(report).to.include({ outcome: 'unknown', indication: 'INDETERMINATE' })
    expect(report.evidence).to.deep.include({ registrySays: undefined, signedBy: 'missing' })
    expect(reportHtml(report)).to.not.include('What the registry says')
    expect(named(reportXml(later), 'evidenceProblem')).to.deep.equal(['versionNotKnown: evidence.json'])
  })

  it('tell what the transparency log proves, in each language, and what contradicts it', async () => {
    const plain = bundleOf(authorities, [{ content: TEXT, signers: [authorities.person()] }])
    const judged = async (log: LogOfBundle) =>
      verifyEvidence(await builtBytes(await loggedBundle(plain, authorities, log)), { trust, at: NOW })
    for (const language of LANGUAGES) {
      const { log } = reportWords[language].evidence
      const honest = reportHtml(reportOf(await judged({}), { language }))
      expect(honest).to.include(log.state.logged).and.include(log.problem.policyMissing).and.not.include(log.outside)
      const late = { loggedBefore: NOW - 10 * 60_000 }
      expect(reportHtml(reportOf(await judged(late), { language }))).to.include(log.outside)
      const forged = await judged({ change: (text) => text.replace('signId 101', 'signId 7') })
      expect(reportHtml(reportOf(forged, { language }))).to.include(log.state.wrong)
      const unstamped = await judged({ loggedBefore: undefined })
      expect(reportHtml(reportOf(unstamped, { language }))).to.include(log.noTime)
    }
    const xml = reportXml(await judged({}))
    expect(named(xml, 'log')).to.deep.equal(['logged'])
    expect(named(xml, 'logEntry')).to.deep.equal(['2 / 3'])
    for (const bound of ['loggedAfter', 'loggedBefore'])
      expect(named(xml, bound), bound).to.deep.equal(['2026-06-01T12:00:00+00:00'])
  })

  it('tell what evidence records prove, in each language, in HTML, XML and JSON', async () => {
    const plain = bundleOf(authorities, [{ content: TEXT, signers: [authorities.person()] }])
    const recorded = async (at: number) =>
      verifyEvidence(await builtBytes(withRecords(plain, authorities, { at: NOW })), { trust, at })
    const verdict = await recorded(NOW + DAY)
    const until = '2029-05-31T12:00:00+00:00'
    const chains = [{ oid: OIDS.sha512, algorithm: 'SHA-512', stamps: ['2026-06-01T12:00:00+00:00'] }]
    for (const language of LANGUAGES) {
      const { record } = reportWords[language].evidence
      const { label } = reportWords[language]
      const page = reportHtml(reportOf(verdict, { language }))
      for (const said of [record.state.proved, label.records, label.existedAt, until, `SHA-512 (${OIDS.sha512}): 2026`])
        expect(page, said).to.include(said)
      const ended = reportHtml(reportOf(await recorded(NOW + 4 * YEAR), { language }))
      expect(ended).to.include(record.state.notProved).and.include('authorityEnded 0 0').and.not.include(until)
    }
    expect(reportOf(verdict).evidence?.records).to.deep.equal([
      {
        ...{ documentId: 'D'.repeat(16), signId: 101, signature: 'cms/101.p7s', file: 'objects/101.ers' },
        ...{ state: 'proved', says: reportWords.en.evidence.record.state.proved },
        proof: { existedAt: '2026-06-01T12:00:00+00:00', holdsUntil: until, holdsUntilSays: until, chains },
      },
    ])
    expect(reportOf(verdict).evidence?.proofsOfExistence).to.deep.include({
      ...{ time: '2026-06-01T12:00:00+00:00', kind: 'evidenceRecord', holdsUntil: until, chains: 1, stamps: 1 },
      over: { documentId: 'D'.repeat(16), signId: 101 },
    })
    const xml = reportXml(verdict)
    expect(named(xml, 'evidenceRecord')).to.deep.equal(['proved'])
    expect(named(xml, 'existedAt')).to.deep.equal(['2026-06-01T12:00:00+00:00'])
    expect(named(xml, 'existenceProvedUntil')).to.deep.equal([until])
    expect(named(xml, 'evidenceRecordChain')).to.deep.equal([`${OIDS.sha512}: 2026-06-01T12:00:00+00:00`])
    expect(reportHtml(reportOf(await judge([contract])))).to.not.include(reportWords.en.label.records)
  })

  for (const [language, wrong, open] of [
    ['en', 'WRONG: ', 'Not proved: '],
    ['ru', 'НЕВЕРНО: ', 'Не доказано: '],
    ['kk', 'ҚАТЕ: ', 'Дәлелденбеді: '],
  ] as const)
    it(`call wrong what is wrong, and open what is open (${language})`, () => {
      const problems = Object.entries(reportWords[language].evidence.problem)
      expect(problems).to.have.length(21)
      for (const [reason, { says }] of problems) {
        const problem = problemOf(evidenceErrors.error('evidenceNotRead', { reason }))
        expect(problem.code).to.equal(reason)
        expect(says).to.match(new RegExp(`^${outcomeOfProblem(problem) === 'wrong' ? wrong : open}`))
      }
    })
})
