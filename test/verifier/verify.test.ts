import { expect } from 'chai'
import { revocationValues, signingCertificateV2 } from '#dev-authorities/cms/attributes.js'
import type { CmsOptions, Subject } from '#dev-authorities/index.js'
import { CMS } from '#dev-authorities/oids.js'
import type { Revocation } from '#dev-authorities/x509/crl.js'
import { digest } from '#verifier/algorithms/digest.js'
import { defaultAlgorithmPolicy } from '#verifier/algorithms/policy.js'
import { writeSignedData } from '#verifier/cms/content-of-cms.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { readSignedData } from '#verifier/cms/signed-data.js'
import { encoded } from '#verifier/der/reader.js'
import { writeElement } from '#verifier/der/writer.js'
import type { SignerVerdict } from '#verifier/verdict.js'
import { type VerifyOptions, verify } from '#verifier/verify.js'
import { Crl } from '#verifier/x509/crl.js'
import { DAY, MINUTE, NOW, testAuthorities, testClock } from '../support/pki/authorities.js'
import { trustOf } from '../support/pki/trust.js'
import { expectRefusal } from '../support/refusal.js'
import { signatureTemplate, signTemplate } from '../support/xml/sign-template.js'

const TEXT = Buffer.from('a contract')
const SHA_256 = '2.16.840.1.101.3.4.2.1'
const SHA_1 = '1.3.14.3.2.26'

describe('verify', () => {
  const clock = testClock()
  const authorities = testAuthorities({ clock })
  const bare = trustOf(authorities)
  const listed = { ...bare, crls: [Crl.parse(authorities.crl('ecdsa')), Crl.parse(authorities.crl('rsa'))] }
  const signer = authorities.person()
  const full = { timeStamp: true, ocsp: true }
  const judge = (signed: Uint8Array | string, options: Partial<VerifyOptions> = {}) =>
    verify(signed, { trust: bare, at: NOW, document: TEXT, ...options })
  const only = (signed: Uint8Array | string, options: Partial<VerifyOptions> = {}): SignerVerdict => {
    const [verdict, more] = judge(signed, options).signatures
    if (verdict === undefined || more !== undefined) throw new Error('not one signature')
    return verdict
  }
  const said = ({ conclusion, indication, subIndication, refusal }: SignerVerdict) =>
    [conclusion, indication, subIndication, refusal?.code, refusal?.details?.reason].filter(Boolean).join(' ')

  it('says at which time a signature was valid, as proved by its time stamp, however much later', () => {
    const verdict = only(signer.signCms(TEXT, full), { at: NOW + 20 * 365 * DAY, tsaExpiry: 'accept' })
    expect(said(verdict)).to.equal('validAt TOTAL-PASSED')
    expect(verdict).to.include({ time: NOW, document: 'matches' })
    expect(verdict.proof?.timeStamp?.genTime).to.equal(NOW)
    expect(verdict.missing).to.deep.equal(['chainStatus', 'timeStampStatus'])
    expect(verdict.checks.map(({ check }) => check)).to.deep.equal([
      'document',
      'signatureValue',
      'algorithms',
      'signerUsage',
      'signingCertificate',
      'timeStamp',
      'path',
      'status',
    ])
  })

  it('calls a time stamp that is not there missing, and a signature valid now', () => {
    const verdict = only(signer.signCms(TEXT, { ocsp: true }))
    expect(said(verdict)).to.equal('validNow TOTAL-PASSED')
    expect(verdict.missing).to.deep.equal(['timeStamp', 'chainStatus'])
    const late = only(signer.signCms(TEXT, { ocsp: true }), { at: NOW + 400 * DAY })
    expect(said(late)).to.equal('intact INDETERMINATE OUT_OF_BOUNDS_NO_POE signerCertificateNotValidNow expired')
  })

  it('goes by CRLs alone, and calls a status that nothing tells missing', () => {
    const signed = signer.signCms(TEXT, { timeStamp: true })
    const verdict = only(signed, { trust: listed })
    expect(said(verdict)).to.equal('validAt TOTAL-PASSED')
    expect(verdict.proof?.crlProof?.crls).to.have.length(1)
    const unknown = only(signed)
    expect(said(unknown)).to.equal('intact INDETERMINATE TRY_LATER invalidCertificateStatus undetermined')
    expect(unknown.missing).to.deep.equal(['status'])
  })

  it('takes CRLs for now where the answer that came along is about another time, and none for a revoked one', () => {
    const signed = signer.signCms(TEXT, { ocsp: true })
    expect(said(only(signed, { trust: listed, at: NOW + 10 * MINUTE }))).to.equal('validNow TOTAL-PASSED')
    const revoked = authorities.person()
    authorities.revoke(revoked, NOW - DAY)
    expect(said(only(revoked.signCms(TEXT, { ocsp: true }), { trust: listed }))).to.equal(
      'intact INDETERMINATE REVOKED_NO_POE invalidCertificateStatus revoked',
    )
  })

  it('takes evidence that is given beside the signature', () => {
    const signed = signer.signCms(TEXT)
    const [signature] = judge(signed).signatures
    const timeStamp = authorities.tsa.stamp(signature?.signature?.signatureValue ?? TEXT)
    const ocsp = authorities.ocsp.status(signer.certificate, signer.issuer)
    expect(said(only(signed, { evidence: { timeStamp, ocsp } }))).to.equal('validAt TOTAL-PASSED')
  })

  it('takes the document or its digests, and says when nobody has compared them', () => {
    const signed = signer.signCms(TEXT, full)
    const digests = (data: Buffer) => new Map([[SHA_256, digest(SHA_256, data)]])
    expect(said(only(signed, { document: digests(TEXT) }))).to.equal('validAt TOTAL-PASSED')
    const other = 'refused TOTAL-FAILED HASH_FAILURE signatureDoesNotCorrespond digest'
    expect(said(only(signed, { document: Buffer.from('another') }))).to.equal(other)
    expect(said(only(signed, { document: digests(Buffer.from('another')) }))).to.equal(other)
    expect(said(only(signed, { document: new Map() }))).to.contain('SIGNED_DATA_NOT_FOUND')
    const { document: _, ...withoutDocument } = { trust: bare, at: NOW, document: TEXT }
    const verdict = verify(signed, withoutDocument)
    expect(verdict.valid).to.equal(false)
    expect(verdict.signatures[0]).to.include({ document: 'notCompared', subIndication: 'SIGNED_DATA_NOT_FOUND' })
    expect(verdict.signatures[0]?.missing).to.deep.equal(['document', 'chainStatus', 'timeStampStatus'])
    const attached = verify(signer.signCms(TEXT, { ...full, detached: false }), withoutDocument)
    expect(attached.valid).to.equal(true)
    expect(attached.signatures[0]).to.include({ document: 'carried' })
  })

  it('reads DER, base64 and PEM', () => {
    const der = signer.signCms(TEXT, full)
    const base64 = der.toString('base64')
    for (const signed of [der, base64, Buffer.from(base64), `-----BEGIN CMS-----\n${base64}\n-----END CMS-----\n`])
      expect(said(only(signed))).to.equal('validAt TOTAL-PASSED')
  })

  it('never throws for what the bytes are', () => {
    for (const signed of [Buffer.alloc(0), Buffer.from([0x30, 0x80]), '<a', 'rubbish', '<a/>'])
      expect(said(only(signed))).to.match(/^refused TOTAL-FAILED FORMAT_FAILURE signatureNotParsed/)
  })

  it('tells a signature that is right from a signer who is nobody', () => {
    const stranger = testAuthorities({ clock }, undefined).person()
    const trust = { anchors: bare.intermediates.slice(0, 1), intermediates: [] }
    expect(said(only(stranger.signCms(TEXT, { ocsp: true }), { trust }))).to.match(/^intact INDETERMINATE/)
    const forged = signer.signCms(TEXT, full)
    const value = only(forged).signature?.signatureValue ?? Buffer.alloc(0)
    const at = forged.indexOf(value)
    forged[at + value.length - 1] = (forged[at + value.length - 1] ?? 0) ^ 1
    expect(said(only(forged))).to.equal('refused TOTAL-FAILED SIG_CRYPTO_FAILURE invalidSignature signatureValue')
  })

  it('says when the signature does not name its certificate, and goes by the rule for that', () => {
    const unnamed = signer.signCms(TEXT, {
      ...full,
      signedAttributes: (honest) => honest.filter(({ oid }) => oid !== CMS.signingCertificateV2),
    })
    const refusal = 'intact INDETERMINATE SIG_CONSTRAINTS_FAILURE invalidSignature signingCertificate'
    expect(only(unnamed).missing).to.deep.equal(['signingCertificate', 'chainStatus', 'timeStampStatus'])
    expect(said(only(unnamed))).to.equal('validAt TOTAL-PASSED')
    expect(said(only(unnamed, { isKeyUnderOther: () => true }))).to.equal(refusal)
    expect(said(only(unnamed, { isKeyUnderOther: () => true, signingCertificate: 'optional' }))).to.contain('validAt')
    expect(said(only(unnamed, { signingCertificate: 'required' }))).to.equal(refusal)
    const strict = { isKeyUnderOther: () => true, signingCertificate: 'required' } as const
    expect(said(only(signer.signCms(TEXT, full), strict))).to.equal('validAt TOTAL-PASSED')
  })

  it('takes a certificate that is named by SHA-1 or MD5 for one that is not, unless the policy trusts them', () => {
    const namedBy = (hash: 'sha1' | 'md5' | 'sha512') =>
      signer.signCms(TEXT, {
        ...full,
        signedAttributes: (honest) =>
          honest.map((one) =>
            one.oid === CMS.signingCertificateV2 ? signingCertificateV2(signer.certificate, hash) : one,
          ),
      })
    const required = { signingCertificate: 'required' } as const
    const refusal = 'intact INDETERMINATE SIG_CONSTRAINTS_FAILURE invalidSignature signingCertificate'
    for (const hash of ['sha1', 'md5'] as const) {
      expect(said(only(namedBy(hash), required))).to.equal(refusal)
      expect(said(only(namedBy(hash)))).to.equal('validAt TOTAL-PASSED')
      expect(only(namedBy(hash)).missing).to.include('signingCertificate')
    }
    expect(said(only(namedBy('sha512'), required))).to.equal('validAt TOTAL-PASSED')
    const algorithms = { ...defaultAlgorithmPolicy, digestsTrustedUntil: { [SHA_1]: NOW + 1 } }
    expect(said(only(namedBy('sha1'), { ...required, algorithms }))).to.equal('validAt TOTAL-PASSED')
    expect(said(only(namedBy('sha1'), { ...required, algorithms, at: NOW + 1 }))).to.equal(refusal)
  })

  describe('of a long-term signature with several OCSP answers', () => {
    const issuer = signer.issuer
    const [root = Buffer.alloc(0)] = authorities.anchors
    const other = authorities.person()
    const aboutSigner = () => authorities.ocsp.status(signer.certificate, issuer)
    const aboutOther = authorities.ocsp.status(other.certificate, other.issuer)
    const aboutIssuer = (status: 'good' | Revocation = 'good', at = NOW) =>
      authorities.ocsp.status(issuer, root, ({ answers }) => ({
        producedAt: at,
        answers: answers.map((one) => ({ ...one, status, thisUpdate: at })),
      }))
    const signed = (...answers: Buffer[]) =>
      signer.signCms(TEXT, {
        timeStamp: true,
        unsignedAttributes: (honest) => [...honest, revocationValues(...answers)],
      })

    it('judges the one about the signer, wherever it stands, and the others for the path', () => {
      for (const answers of [
        [aboutSigner(), aboutOther],
        [aboutOther, aboutIssuer(), aboutSigner()],
        [aboutSigner(), aboutIssuer('good', NOW - 30 * DAY)],
      ])
        expect(said(only(signed(...answers)))).to.equal('validAt TOTAL-PASSED')
    })

    it('refuses it when one says that the signer or an authority above was revoked', () => {
      const revokedBefore = { serial: Buffer.of(1), at: NOW - DAY, reason: 'keyCompromise' } as const
      const refused = 'intact INDETERMINATE REVOKED_NO_POE invalidCertificateStatus revoked'
      const ofAuthority = refused.replace('REVOKED', 'REVOKED_CA')
      expect(said(only(signed(aboutSigner(), aboutIssuer(revokedBefore))))).to.equal(ofAuthority)
      const signerRevoked = authorities.ocsp.status(signer.certificate, issuer, ({ answers }) => ({
        answers: answers.map((one) => ({ ...one, status: revokedBefore })),
      }))
      expect(said(only(signed(aboutSigner(), signerRevoked)))).to.equal(refused)
      expect(said(only(signed(signerRevoked, aboutSigner())))).to.equal(refused)
    })

    it('is refused where none is about the signer', () => {
      expect(said(only(signed(aboutOther, aboutIssuer())))).to.contain('invalidOcspData otherCertificate')
    })

    it('is a matter of the caller: readers take one unless they are told', () => {
      const cms = signed(aboutSigner(), aboutIssuer())
      expectRefusal('invalidOcspData', 'notExactlyOne', () => readCms(cms))
      expect(readCms(cms, { evidence: 'all' }).carried.answers).to.have.length(2)
      expectRefusal('invalidOcspData', 'notExactlyOne', () => readCms(cms, { evidence: 'one' }))
    })
  })

  it('takes padding where it is told to', () => {
    const padded = Buffer.concat([signer.signCms(TEXT, full), Buffer.alloc(500)])
    expect(said(only(padded))).to.contain('FORMAT_FAILURE')
    expect(said(only(padded, { trailingZeros: true }))).to.equal('validAt TOTAL-PASSED')
  })

  describe('of several signers of one CMS', () => {
    const second = authorities.person({ algorithm: 'rsa2048' })
    /** One CMS with the signers of both. */
    const joined = (a: Subject, b: Subject, options: CmsOptions): Buffer => {
      const certificates = [a.certificate, b.certificate]
      const [one, two] = [a, b].map((each) => readSignedData(each.signCms(TEXT, { ...options, certificates })))
      if (one === undefined || two === undefined) throw new Error('not two')
      const infos = [one, two].flatMap(({ signerInfos }) => signerInfos.map(({ element }) => encoded(element)))
      return Buffer.from(writeSignedData(one.parts, { signerInfos: writeElement(0x31, ...infos) }))
    }

    it('judges each for itself', () => {
      const verdict = judge(joined(signer, second, full))
      expect(verdict.signatures.map(said)).to.deep.equal(['validAt TOTAL-PASSED', 'validAt TOTAL-PASSED'])
      expect(verdict.valid).to.equal(true)
      const expired = authorities.person({ validFrom: NOW - 2 * DAY, validUntil: NOW - DAY })
      const mixed = judge(joined(signer, expired, full))
      expect(mixed.signatures.map(({ conclusion }) => conclusion)).to.deep.equal(['validAt', 'intact'])
      expect(mixed).to.include({ valid: false, indication: 'INDETERMINATE' })
    })
  })

  describe('of XML', () => {
    it('judges a document that carries its signature, and gives what was signed', () => {
      const { document } = signer.signXml('<a>1</a>', full)
      const verdict = verify(document, { trust: bare, at: NOW })
      expect(verdict.valid).to.equal(true)
      expect(verdict.signatures[0]).to.include({ covers: 'document', document: 'carried' })
      expect(String(verdict.signatures[0]?.signedBytes)).to.equal('<a>1</a>')
    })

    it('judges a signature that stands alone, over the document that is given', () => {
      const { signature, data } = signer.signXml('<a>1</a>', full)
      expect(said(only(signature, { document: data }))).to.equal('validAt TOTAL-PASSED')
      expect(said(only(signature))).to.contain('signatureDoesNotCorrespond')
    })

    it('says that a part alone is signed, unless a part is asked for; and takes files of a container', () => {
      const part = signTemplate(
        `<a><b Id="b"/><c/>${signatureTemplate(signer, { references: [{ uri: ' URI="#b"' }] })}</a>`,
        signer,
      )
      const options = { trust: listed, at: NOW }
      const allSaid = (verdict: ReturnType<typeof verify>) => verdict.signatures.map(said)
      expect(allSaid(verify(part, options))).to.deep.equal([
        'intact INDETERMINATE SIG_CONSTRAINTS_FAILURE signatureDoesNotCorrespond coversElement',
      ])
      expect(allSaid(verify(part, { ...options, covers: 'element' }))).to.deep.equal(['validNow TOTAL-PASSED'])
      const digestValue = digest(SHA_256, TEXT).toString('base64')
      const container = signTemplate(
        `<c>${signatureTemplate(signer, { references: [{ uri: ' URI="file"', digestValue }] })}</c>`,
        signer,
      )
      expect(allSaid(verify(container, { ...options, resolve: () => TEXT }))).to.deep.equal(['validNow TOTAL-PASSED'])
      expect(allSaid(verify(container, options))).to.deep.equal([
        'unsupported unsupported signatureNotParsed externalReference',
      ])
    })

    it('takes a second signature for what it is', () => {
      const once = signer.signXml('<a>1</a>', full).document
      const twice = authorities.person().signXml(once, full).document
      const verdict = verify(twice, { trust: bare, at: NOW })
      expect(verdict.signatures.map(said)).to.deep.equal(['validAt TOTAL-PASSED', 'validAt TOTAL-PASSED'])
    })
  })
})
