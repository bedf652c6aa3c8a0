import { createHash } from 'node:crypto'
import { type EvidenceOptions, verifyEvidence } from '@signed-registry/verifier'
import { sourceOf } from '@signed-registry/verifier/evidence'
import { expect } from 'chai'
import {
  contentAt,
  type FileInside,
  mended,
  type Said,
  saying,
  stating,
  unzipped,
  withContent,
  zipped,
} from '../../support/containers.js'
import { builtBytes, bundleOf, digestsOf, otherRegistry, ownRegistry, SHA_256 } from '../../support/evidence-bundle.js'
import { NOW, testAuthorities } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'

const CONTENT = 'A contract of two parties'
const XML = '<contract><price>100</price></contract>'

describe('the verdict on an evidence bundle', () => {
  const authorities = testAuthorities()
  const trust = trustOf(authorities)
  const [rsa, ecdsa, gost] = (['rsa2048', 'p256', 'gost512'] as const).map((algorithm) =>
    authorities.person({ algorithm }),
  )
  const signers = [rsa, ecdsa, gost].flatMap((one) => one ?? [])
  const own = ownRegistry()
  const foreign = otherRegistry()
  let bundle: Buffer
  let files: FileInside[]
  let withoutOriginal: Buffer

  before(async () => {
    bundle = await builtBytes(bundleOf(authorities, [{ content: CONTENT, signers }]))
    files = unzipped(bundle)
    withoutOriginal = await builtBytes(bundleOf(authorities, [{ content: CONTENT, signers, withoutOriginal: true }]))
  })

  /** Outcome, who signed, and every problem with its file. */
  const judged = (bytes: Uint8Array, options: Partial<EvidenceOptions> = {}) => {
    const { outcome, evidence } = verifyEvidence(bytes, { trust, at: NOW, ...options })
    return [outcome, evidence.signedBy, ...evidence.problems.map(({ code, file }) => (file ? `${code} ${file}` : code))]
  }
  const beside = (name: string, content: string) => ({
    documents: [{ name, document: digestsOf(Buffer.from(content)) }],
  })
  const said = (change: (said: Said) => void, by = own) => zipped(saying(files, change, by))

  it('is that all is proved: signatures of RSA, ECDSA and GOST, CMS and XML, by OCSP and by CRLs', async () => {
    const found = verifyEvidence(bundle, { trust, at: NOW })
    expect(found).to.include({ outcome: 'proved', at: NOW })
    expect(found.signatures.map(({ file, conclusion }) => `${file} ${conclusion}`)).to.deep.equal(
      [101, 102, 103].map((signId) => `cms/${signId}.p7s validAt`),
    )
    const { said: statement, documents } = found.evidence
    expect(statement?.rules).to.equal('1')
    expect(documents).to.deep.equal([
      { documentId: 'D'.repeat(16), name: 'contract.txt', original: 'inside', signatures: [0, 1, 2] },
    ])
    const ways = signers.flatMap((by) => [by, { by, as: 'crl' as const }, { by, as: 'xml' as const }])
    const mixed = bundleOf(authorities, [
      { content: XML, documentId: 'A'.repeat(16), signers: ways },
      { content: XML, documentId: 'B'.repeat(16), signers: signers.map((by) => ({ by, as: 'xml' as const })) },
      { content: '', documentId: 'C'.repeat(16), signers },
    ])
    expect(judged(await builtBytes(mixed))).to.deep.equal(['proved', 'notTrusted'])
  })

  it('is open without the original, until it is shown beside; of another one nobody tells', () => {
    expect(judged(withoutOriginal)).to.deep.equal(['unknown', 'notTrusted'])
    expect(judged(withoutOriginal, beside('a.txt', CONTENT))).to.deep.equal(['proved', 'notTrusted'])
    expect(judged(withoutOriginal, beside('a.txt', 'another'))[0]).to.equal('unknown')
    expect(judged(bundle, beside('a.txt', CONTENT))).to.deep.equal(['proved', 'notTrusted'])
    expect(judged(bundle, beside('a.txt', 'another'))[0]).to.equal('unknown')
  })

  it('compares the original by the hash that a signature names, though the registry fixed others', async () => {
    const by = (['p384', 'p521', 'ed25519'] as const).map((algorithm) => authorities.person({ algorithm }))
    const make = (inside: boolean) =>
      builtBytes(bundleOf(authorities, [{ content: CONTENT, signers: by, withoutOriginal: !inside }]))
    expect(judged(await make(true))).to.deep.equal(['proved', 'notTrusted'])
    const documents = [{ name: 'a.txt', document: sourceOf(Buffer.from(CONTENT)) }]
    expect(judged(await make(false), { documents })).to.deep.equal(['proved', 'notTrusted'])
  })

  it('tells whose word the statement is', () => {
    expect(judged(bundle, { key: own.statementKey })).to.deep.equal(['proved', 'trusted'])
    expect(judged(bundle, { key: `${own.statementKey}\n` })).to.deep.equal(['proved', 'trusted'])
    const asked = { key: foreign.statementKey }
    expect(judged(bundle, asked)).to.deep.equal(['unknown', 'otherKey', 'otherKey evidence.json.sig'])
    const note = files.filter(({ name }) => name !== 'evidence.json.sig')
    expect(judged(zipped(note))).to.deep.equal(['unknown', 'missing', 'noteMissing evidence.json.sig'])
    const ofOther = withContent(files, 'evidence.json.sig', Buffer.from(own.sign('another text\n')))
    expect(judged(zipped(ofOther))).to.deep.equal(['wrong', 'wrong', 'noteWrong evidence.json.sig'])
    const first = files.find(({ name }) => name === 'evidence.json.sig')?.content.toString() ?? ''
    const more = withContent(files, 'evidence.json.sig', Buffer.from(`${first}\u2014 somebody AAAAAAA=\n`))
    expect(judged(zipped(more))).to.deep.equal(['wrong', 'wrong', 'noteWrong evidence.json.sig'])
    expect(
      judged(zipped(saying(files, (all) => Object.assign(all, { asOf: '2026-01-01T00:00:00.000Z' })))),
    ).to.deep.equal(['wrong', 'wrong', 'noteWrong evidence.json.sig'])
  })

  it('passes over what later minor versions add, and judges by whatever rules', () => {
    const later = [...files.slice(0, -1), ...added('later/101'), ...files.slice(-1)]
    const type = 'application/vnd.signed-registry.evidence+json;version=1.7'
    const newer = saying(later, (all) => {
      Object.assign(all, { type, log: { size: 1 }, rules: 'of another year' })
      for (const one of all.documents[0]?.signatures ?? []) Object.assign(one, { object: 'later/101' })
      all.files.splice(-1, 0, { name: 'later/101' })
    })
    expect(judged(zipped(mended(newer, own)))).to.deep.equal(['proved', 'notTrusted'])
    expect(judged(zipped(newer.filter(({ name }) => !name.startsWith('later/'))))[0]).to.equal('wrong')
  })

  it('is open for versions that are not known', () => {
    for (const version of ['2.0', '0.9', '10.0'])
      expect(
        judged(said((all) => Object.assign(all, { type: all.type?.toString().replace(/[\d.]+$/, version) }))),
      ).to.deep.equal(['unknown', 'missing', 'versionNotKnown evidence.json'])
  })

  it('names what was changed in a container, though the statement was mended and is signed', () => {
    const place = 'document.asics!/contract.txt'
    const other = withContent(files, place, Buffer.from('Another contract!!!!!!!!!'))
    expect(judged(zipped(other))).to.deep.equal([
      'wrong',
      'notTrusted',
      `fileChanged ${place}`,
      'originalDiffers contract.txt',
    ])
    expect(judged(zipped(mended(other, foreign)))).to.deep.equal([
      'wrong',
      'notTrusted',
      'originalDiffers contract.txt',
    ])
    const joined = 'document.asics!/META-INF/signature.p7s'
    const fewer = withContent(files, joined, contentAt(files, 'cms/101.p7s'))
    expect(judged(zipped(mended(fewer, foreign)))).to.deep.equal(['wrong', 'notTrusted', `signaturesDiffer ${joined}`])
    const more = [...unzipped(contentAt(files, 'document.asics')), ...added('META-INF/more.p7s')]
    expect(judged(zipped(withContent(files, 'document.asics', zipped(more))))[0]).to.equal('wrong')
  })

  it('is wrong for another original whose hashes the statement was mended to', () => {
    const content = Buffer.from('Another contract')
    const other = withContent(files, 'document.asics!/contract.txt', content)
    const lying = saying(other, (all) => {
      const sha256 = createHash('sha256').update(content).digest('hex')
      Object.assign(all.documents[0] ?? {}, { size: content.length, digests: { [SHA_256]: sha256 } })
    })
    expect(judged(zipped(mended(lying, foreign))).slice(0, 2)).to.deep.equal(['wrong', 'notTrusted'])
  })

  it('is wrong for files that are left out, added, doubled or in another order', () => {
    const [first, ...rest] = files.slice(3)
    if (first === undefined) expect.fail()
    for (const others of [
      files.filter(({ name }) => name !== 'report.xml'),
      [...files, ...added('more.txt')],
      [...files.slice(0, 3), ...rest.slice(0, 1), first, ...rest.slice(1)],
    ])
      expect(judged(zipped(others)))
        .to.include('wrong')
        .and.to.satisfy((all: string[]) => all.some((one) => one.startsWith('otherFiles')))
    expect(judged(zipped([...files, first]))).to.deep.equal(['wrong', 'missing', 'doubledName README.txt'])
  })

  it('is wrong for a container that is packed in another way', () => {
    for (const place of ['mimetype', 'README.txt', 'document.asics']) {
      const packed = files.map((file) => (file.name === place ? { ...file, streamed: !file.streamed } : file))
      expect(judged(zipped(packed))[0], place).not.to.equal('proved')
    }
    const inner = unzipped(contentAt(files, 'document.asics'))
    for (const index of [1, 2]) {
      const packed = inner.map((file, at) => (at === index ? { ...file, streamed: !file.streamed } : file))
      expect(judged(zipped(withContent(files, 'document.asics', zipped(packed))))[0]).to.equal('wrong')
    }
  })

  it('is wrong for a statement of another form', () => {
    const malformed = ['wrong', 'missing', 'statementMalformed evidence.json']
    const deep = '['.repeat(1_000_000)
    for (const text of ['', '{}', '[]', 'null', '"', deep, `${deep}${']'.repeat(1_000_000)}`])
      expect(judged(zipped(stating(files, text))), text.slice(0, 10)).to.deep.equal(malformed)
    const first = (all: Said) => all.documents[0]?.signatures[0] ?? {}
    const changes: ((all: Said) => void)[] = [
      (all) => Object.assign(all, { type: 'application/json' }),
      (all) => Object.assign(all, { asOf: 'yesterday' }),
      (all) => Object.assign(all, { documents: {} }),
      (all) => Object.assign(all, { documents: Array(10_001).fill(null) }),
      (all) => Object.assign(all.files[0] ?? {}, { sha256: 'AA' }),
      (all) => Object.assign(all.documents[0] ?? {}, { size: -1 }),
      (all) => Object.assign(all.documents[0] ?? {}, { digests: { 'not an OID': 'aa' } }),
      (all) => Object.assign(first(all), { signType: 'pdf' }),
      (all) => Object.assign(first(all), { signId: 2 ** 60 }),
      (all) => all.documents.push(...all.documents),
      (all) => all.documents[0]?.signatures.push({ ...first(all) }),
      (all) => all.documents[0]?.signatures.push({ ...first(all), signId: 9 }),
      (all) => Object.assign(first(all), { crls: ['tst/102.tst'] }),
    ]
    for (const change of changes) expect(judged(said(change)), String(change)).to.deep.equal(malformed)
  })

  it('is open where more is declared than is read', () => {
    const large = zipped(stating(files, ' '.repeat(100_000_000)))
    expect(judged(large)).to.deep.equal(['unknown', 'missing', 'tooLarge evidence.json'])
    expect(judged(Buffer.from('%PDF-1.7'))).to.deep.equal(['unknown', 'missing', 'notEvidence'])
  })

  it('is wrong for files that are named and are not there', () => {
    for (const change of [
      (all: Said) => Object.assign(all.documents[0]?.signatures[0] ?? {}, { timeStamp: 'tst/404.tst' }),
      (all: Said) => Object.assign(all.documents[0] ?? {}, { original: { file: 'original/404' } }),
      (all: Said) => Object.assign(all.documents[0] ?? {}, { original: { file: 'a', container: '404.asics' } }),
    ])
      expect(judged(said(change))[0]).to.equal('wrong')
  })

  it('needs no README, no report and no certificates that it trusts: they are only said', () => {
    const bare = withContent(files, 'certificates.pem', Buffer.from('nothing'))
    expect(judged(zipped(mended(bare, own)), { trust: { anchors: trust.anchors, intermediates: [] } })[0]).to.equal(
      'proved',
    )
    expect(judged(bundle, { trust: { anchors: [], intermediates: [] } })).to.deep.equal(['unknown', 'notTrusted'])
  })
})

const added = (name: string): FileInside[] => [{ name, content: Buffer.from(name), streamed: false }]
