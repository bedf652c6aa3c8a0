import { expect } from 'chai'
import { digest } from '#verifier/algorithms/digest.js'
import { sourceOf } from '#verifier/byte-source.js'
import { type EvidenceOptions, verifyEvidence } from '#verifier/evidence/verify-evidence.js'
import { type Bundled, type Lies, makeBundle, statementKey } from '../../support/evidence/bundle.js'
import { NOW, testAuthorities } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'

const SHA_256 = '2.16.840.1.101.3.4.2.1'
const evidence = { timeStamp: true, ocsp: true }
const TEXT = Buffer.from('I owe you 100 tenge\n')
const OTHER = Buffer.from('I owe you 900 tenge\n')

describe('the verdict on what an evidence bundle shows', () => {
  const authorities = testAuthorities()
  const trust = trustOf(authorities)
  const signer = authorities.person()
  const contract = { title: 'contract.txt', content: TEXT, signed: [signer.signCms(TEXT, evidence)] }
  const judge = async (document: Bundled, options: Partial<EvidenceOptions> = {}, lies?: Lies) =>
    verifyEvidence(await makeBundle([document], [...authorities.anchors, ...authorities.intermediates], lies), {
      ...{ trust, at: NOW },
      ...options,
    })
  const codes = ({ evidence: { problems } }: ReturnType<typeof verifyEvidence>) => problems.map(({ code }) => code)

  it('proves signatures over the original inside, with a registry’s key or without', async () => {
    const verdict = await judge(contract)
    expect(verdict).to.include({ outcome: 'proved' })
    expect(verdict.evidence).to.include({ signedBy: 'notTrusted' })
    expect(verdict.evidence.documents).to.deep.equal([
      { documentId: 'document-1', name: 'contract.txt', original: 'inside', signatures: [0] },
    ])
    expect((await judge(contract, { key: statementKey })).evidence.signedBy).to.equal('trusted')
  })

  it('proves nothing of an original that nobody shows, and takes it beside by its bytes or its hashes', async () => {
    const alone = { ...contract, inside: false }
    expect(await judge(alone)).to.include({ outcome: 'unknown' })
    for (const document of [sourceOf(TEXT), new Map([[SHA_256, digest(SHA_256, TEXT)]])]) {
      const verdict = await judge(alone, { documents: [{ name: 'mine.txt', document }] })
      expect(verdict).to.include({ outcome: 'proved' })
      expect(verdict.evidence.documents[0]).to.include({ original: 'beside', name: 'mine.txt' })
      expect(verdict.documents).to.deep.equal([{ name: 'mine.txt', signatures: [0], signed: 'whole' }])
    }
    const other = await judge(alone, { documents: [{ name: 'other.txt', document: sourceOf(OTHER) }] })
    expect(other).to.include({ outcome: 'unknown' })
    expect(other.documents).to.deep.equal([{ name: 'other.txt', signatures: [], signed: 'nothing' }])
  })

  it('takes two copies of one document beside for one', async () => {
    const documents = ['a.txt', 'b.txt'].map((name) => ({ name, document: sourceOf(TEXT) }))
    expect(await judge(contract, { documents })).to.include({ outcome: 'proved' })
  })

  it('proves XML signatures, whose document is read in its canonical form', async () => {
    const xml = '<a   b="1"/>'
    const { signature, data } = signer.signXml(xml, evidence)
    const signed = { title: 'a.xml', content: Buffer.from(data), signed: [signature] }
    expect(await judge(signed)).to.include({ outcome: 'proved' })
    const documents = [{ name: 'a.xml', document: sourceOf(Buffer.from(data)) }]
    expect(await judge({ ...signed, inside: false }, { documents })).to.include({ outcome: 'proved' })
  })

  describe('with a signature that carries something else', () => {
    const attached = signer.signCms(OTHER, { ...evidence, detached: false })

    it('is wrong, also beside a good signature', async () => {
      const verdict = await judge({ ...contract, signed: [...contract.signed, attached] })
      expect(verdict).to.include({ outcome: 'wrong' })
      expect(verdict.signatures.map(({ indication }) => indication)).to.deep.equal(['TOTAL-PASSED', 'TOTAL-FAILED'])
    })

    it('is wrong where nobody shows the document, by the hash that the registry says', async () => {
      const verdict = await judge({ ...contract, inside: false, signed: [attached] })
      expect(verdict).to.include({ outcome: 'wrong' })
      expect(codes(verdict)).to.deep.equal(['otherDocument'])
    })

    it('is not proved by what a signature carries, be it the same', async () => {
      const same = signer.signCms(TEXT, { ...evidence, detached: false })
      expect(await judge({ ...contract, inside: false, signed: [same] })).to.include({ outcome: 'unknown' })
    })
  })
})
