import { expect } from 'chai'
import { defaultAlgorithmPolicy } from '#verifier/algorithms/policy.js'
import type { SignerVerdict } from '#verifier/verdict.js'
import { type VerifyOptions, verify } from '#verifier/verify.js'
import { DAY, MINUTE, NOW, testAuthorities, testClock } from '../../../support/pki/authorities.js'
import { timeStamper } from '../../../support/pki/tokens.js'
import { trustOf } from '../../../support/pki/trust.js'
import { archivedXml } from '../../../support/xml/archived-xml.js'

const SHA_256 = '2.16.840.1.101.3.4.2.1'

describe('archive time stamps of XAdES', () => {
  const authorities = testAuthorities({ clock: testClock() })
  const trust = trustOf(authorities)
  const signer = authorities.person()
  const [early, by] = [20, 600].map((days) => timeStamper(authorities, { notAfter: NOW + days * DAY }))
  if (early === undefined || by === undefined) throw new Error('nobody stamps')
  const { document, signature, data } = signer.signXml('<a>text</a>', { ocsp: true })
  const references = [data]
  const honest = { by, at: NOW + MINUTE, references }
  const judge = (xml: string, options: Partial<VerifyOptions> = {}): SignerVerdict => {
    const [verdict] = verify(xml, { trust, at: NOW + 500 * DAY, ...options }).signatures
    if (verdict === undefined) throw new Error('no verdict')
    return verdict
  }
  const reasons = ({ unused }: SignerVerdict) =>
    unused.filter(({ kind }) => kind === 'archiveTimeStamp').map(({ reason }) => reason)
  const existedAt = { time: NOW + MINUTE, by: 'archiveTimeStamp' }

  it('prove that a signature is older than the end of its certificate, in a document and alone', () => {
    expect(judge(document).subIndication).to.equal('OUT_OF_BOUNDS_NO_POE')
    for (const [xml, given] of [
      [document, {}],
      [signature, { document: data }],
    ] as const) {
      const verdict = judge(archivedXml(xml, honest), given)
      expect(verdict.indication).to.equal('TOTAL-PASSED')
      expect(verdict.existedAt).to.deep.equal(existedAt)
      expect(reasons(verdict)).to.deep.equal([])
    }
  })

  it('hold one another, the newest being good', () => {
    const chain = archivedXml(archivedXml(document, { ...honest, by: early }), { ...honest, at: NOW + 10 * DAY })
    expect(judge(chain).existedAt).to.deep.equal(existedAt)
    const late = archivedXml(archivedXml(document, { ...honest, by: early }), { ...honest, at: NOW + 21 * DAY })
    expect(judge(late).indication).to.equal('INDETERMINATE')
    expect(reasons(judge(late))).to.deep.equal(['authorityEnded'])
  })

  it('prove nothing where they are over something else, or what they are over was moved or taken out', () => {
    const other = archivedXml(document, { ...honest, references: [Buffer.from('another')] })
    expect(judge(other).subIndication).to.equal('OUT_OF_BOUNDS_NO_POE')
    expect(reasons(judge(other))).to.deep.equal(['imprint'])
    const [values = ''] = /<xades:RevocationValues>.*<\/xades:RevocationValues>/.exec(document) ?? []
    const good = archivedXml(document, honest)
    const end = '</xades:UnsignedSignatureProperties>'
    for (const changed of [good.replace(values, ''), good.replace(values, '').replace(end, `${values}${end}`)])
      expect(reasons(judge(changed))).to.deep.equal(['imprint'])
  })

  it('prove nothing of a document of which the hash alone is at hand', () => {
    const digests = new Map([
      [SHA_256, verify(document, { trust, at: NOW }).signatures[0]?.signature?.digests[0]?.value],
    ])
    const given = new Map([...digests].flatMap(([oid, value]) => (value === undefined ? [] : [[oid, value] as const])))
    expect(reasons(judge(archivedXml(signature, honest), { document: given }))).to.deep.equal(['contentMissing'])
  })

  it('keep a signature good whose algorithm has ended since', () => {
    const { document: signed, data: content } = signer.signXml('<a>text</a>', { ocsp: true })
    const at = NOW + 100 * DAY
    const algorithms = { ...defaultAlgorithmPolicy, curvesTrustedUntil: { '1.2.840.10045.3.1.7': at } }
    const good = archivedXml(signed, { ...honest, references: [content] })
    expect(judge(good, { at: at - DAY, algorithms }).indication).to.equal('TOTAL-PASSED')
    expect(judge(good, { at: at + DAY, algorithms }).subIndication).to.equal('CRYPTO_CONSTRAINTS_FAILURE_NO_POE')
    const kept = { at: at + DAY, algorithms, evidence: { existedAt: at - DAY } }
    expect(judge(good, kept).existedAt).to.deep.equal(existedAt)
  })

  it('that cannot be read, or name what they are over, are set aside', () => {
    const end = '</xades:UnsignedSignatureProperties>'
    const of = (content: string) =>
      `<a:ArchiveTimeStamp xmlns:a="http://uri.etsi.org/01903/v1.4.1#">${content}</a:ArchiveTimeStamp>`
    for (const content of ['', '<xades:Include/>', '<xades:EncapsulatedTimeStamp>?</xades:EncapsulatedTimeStamp>'])
      expect(reasons(judge(document.replace(end, `${of(content)}${end}`), { at: NOW }))).to.deep.equal(['notJudged'])
    const junk = of(
      `<xades:EncapsulatedTimeStamp>${Buffer.from('junk').toString('base64')}</xades:EncapsulatedTimeStamp>`,
    )
    const verdict = judge(document.replace(end, `${junk}${end}`), { at: NOW })
    expect(verdict.indication).to.equal('TOTAL-PASSED')
    expect(reasons(verdict)).to.deep.equal(['malformed'])
  })
})
