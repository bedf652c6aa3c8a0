import { expect } from 'chai'
import { CertificationAuthority } from '#dev-authorities/certification-authority.js'
import { revocationValues, signatureTimeStamp } from '#dev-authorities/cms/attributes.js'
import { explicit, oid, sequence } from '#dev-authorities/der/writer.js'
import { CMS } from '#dev-authorities/oids.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { readSignedData } from '#verifier/cms/signed-data.js'
import { encoded } from '#verifier/der/reader.js'
import { writeElement } from '#verifier/der/writer.js'
import { type VerifyOptions, verify } from '#verifier/verify.js'
import { verifySignature } from '#verifier/verify-signature.js'
import { DAY, MINUTE, NOW, testAuthorities, testClock } from '../../support/pki/authorities.js'
import { listing, REASON, type Reason } from '../../support/pki/listing.js'
import { answer, basicResponse, certStatus, ocspResponder } from '../../support/pki/ocsp-answers.js'
import { timeStamper, tokenOf, tstInfo } from '../../support/pki/tokens.js'
import { trustOf } from '../../support/pki/trust.js'
import { reasonOf } from '../../support/refusal.js'

const TEXT = Buffer.from('a contract')
const REVOCATION_VALUES = '1.2.840.113549.1.9.16.2.24'
describe('a revocation', () => {
  const authorities = testAuthorities({ clock: testClock() })
  const trust = trustOf(authorities)
  const { hierarchy } = authorities
  const signer = authorities.person()
  const issuing = hierarchy.issuing('ecdsa')
  const full = { timeStamp: true, ocsp: true }
  const signed = signer.signCms(TEXT, full)
  const said = (bytes: Uint8Array, options: Partial<VerifyOptions> = {}) => {
    const [verdict] = verify(bytes, { trust, at: NOW, document: TEXT, ...options }).signatures
    const { conclusion, subIndication, refusal } = verdict ?? {}
    return [conclusion, subIndication, refusal?.code, refusal?.details?.reason].filter(Boolean).join(' ')
  }
  const PASSED = 'validAt'
  const REVOKED = 'intact REVOKED_NO_POE invalidCertificateStatus revoked'
  /** RevocationValues with CRLs and answers. */
  const values = (crls: readonly Buffer[], ...answers: Buffer[]) => ({
    oid: REVOCATION_VALUES,
    values: [sequence(explicit(0, sequence(...crls)), explicit(1, sequence(...answers)))],
  })
  const status = () => authorities.ocsp.status(signer.certificate, signer.issuer)

  it('in a given CRL wins over an OCSP response with status good', () => {
    const given = (crl: Buffer) => ({ evidence: { crls: [crl] }, at: NOW + 3 * DAY })
    expect(said(signed, given(listing(issuing, signer.certificate)))).to.equal(REVOKED)
    const later = listing(issuing, signer.certificate, { at: NOW + DAY, thisUpdate: NOW + 2 * DAY })
    expect(said(signed, given(later))).to.equal(PASSED)
    expect(said(signed, given(listing(issuing, authorities.person().certificate)))).to.equal(PASSED)
  })

  it('of the issuing CA, that a CRL of the root lists, wins too', () => {
    const given = (ca: CertificationAuthority) => ({ evidence: { crls: [listing(hierarchy.root, ca.certificate)] } })
    expect(said(signed, given(issuing))).to.equal(REVOKED.replace('REVOKED', 'REVOKED_CA'))
    expect(said(signed, given(hierarchy.issuing('gost')))).to.equal(PASSED)
  })

  it('in embedded evidence wins over a given response, and vice versa', () => {
    const revoked = authorities.ocsp.status(signer.certificate, signer.issuer, ({ answers }) => ({
      answers: answers.map((one) => ({
        ...one,
        status: { serial: Buffer.of(1), at: NOW - DAY, reason: 'superseded' },
      })),
    }))
    const carried = (one: Buffer) =>
      signer.signCms(TEXT, { timeStamp: true, unsignedAttributes: (honest) => [...honest, revocationValues(one)] })
    expect(said(carried(revoked), { evidence: { ocsp: status() } })).to.equal(REVOKED)
    expect(said(carried(status()), { evidence: { ocsp: revoked } })).to.equal(REVOKED)
    expect(said(carried(status()), { evidence: { ocsp: status() } })).to.equal(PASSED)
  })

  it('in CRLs of revocation-values and of SignedData counts', () => {
    const bad = listing(issuing, signer.certificate)
    const good = listing(issuing, authorities.person().certificate)
    const inValues = (crl: Buffer) =>
      signer.signCms(TEXT, { timeStamp: true, unsignedAttributes: (honest) => [...honest, values([crl], status())] })
    const inSignedData = (crl: Buffer) => {
      const { version, digestAlgorithms, encapContentInfo, certificates, signerInfos } = readSignedData(signed).parts
      if (certificates === undefined) throw new Error('no certificates')
      const [before, after] = [[version, digestAlgorithms, encapContentInfo, certificates], [signerInfos]]
      const fields = [...before.map(encoded), writeElement(0xa1, crl), ...after.map(encoded)]
      return sequence(oid(CMS.signedData), explicit(0, sequence(...fields)))
    }
    for (const carrying of [inValues, inSignedData]) {
      expect(said(carrying(bad))).to.equal(REVOKED)
      expect(said(carrying(good))).to.equal(PASSED)
    }
  })

  it('of an older CRL counts though a newer one leaves it out, but for a hold', () => {
    const older = (reason: Reason) =>
      listing(issuing, signer.certificate, { at: NOW - 3 * DAY, reason, thisUpdate: NOW - DAY / 2 })
    const newer = listing(issuing, authorities.person().certificate, { thisUpdate: NOW - MINUTE })
    expect(said(signed, { evidence: { crls: [older('superseded'), newer] } })).to.equal(REVOKED)
    expect(said(signed, { evidence: { crls: [older('certificateHold'), newer] } })).to.equal(PASSED)
    expect(said(signed, { evidence: { crls: [older('certificateHold')] } })).to.equal(REVOKED)
  })

  it('for a lost key counts from the invalidity date on, and for other reasons from its own date', () => {
    const crl = (reason: Reason) =>
      listing(issuing, signer.certificate, {
        at: NOW + DAY,
        reason,
        invalidSince: NOW - DAY,
        thisUpdate: NOW + 2 * DAY,
      })
    const given = (reason: Reason) => ({ evidence: { crls: [crl(reason)] }, at: NOW + 3 * DAY })
    expect(said(signed, given('keyCompromise'))).to.equal(REVOKED)
    expect(said(signed, given('superseded'))).to.equal(PASSED)
  })

  it('that no authority signed is ignored, and does not affect the verdict', () => {
    const forger = new CertificationAuthority({ certificate: issuing.certificate, key: authorities.person().key })
    const forged = Array.from({ length: 40 }, (_, index) =>
      listing(forger, signer.certificate, { thisUpdate: NOW - index * MINUTE }),
    )
    const carried = signer.signCms(TEXT, {
      timeStamp: true,
      unsignedAttributes: (honest) => [...honest, values(forged, status())],
    })
    expect(said(carried)).to.equal(PASSED)
    const [verdict] = verify(carried, { trust, at: NOW, document: TEXT }).signatures
    expect(verdict?.unused[0]).to.deep.include({ kind: 'crl', reason: 'notAuthentic' })
  })

  describe('for the key of whoever gives evidence', () => {
    const responder = ocspResponder(authorities, { issuer: 'ecdsa' })
    const good = basicResponse(responder, [answer(signer.certificate, signer.issuer)])
    const carrying = (unsigned: Buffer) =>
      signer.signCms(TEXT, { timeStamp: true, unsignedAttributes: (honest) => [...honest, revocationValues(unsigned)] })
    const later = { at: NOW + 3 * DAY }
    const revokedLater = (reason: Reason) =>
      basicResponse(
        ocspResponder(authorities, { issuer: 'ecdsa' }),
        [
          answer(responder.certificate, issuing.certificate, {
            status: certStatus.revoked(NOW + DAY, REASON[reason]),
            thisUpdate: NOW + 2 * DAY,
          }),
        ],
        { producedAt: NOW + 2 * DAY },
      )

    it('leaves nothing of what a responder said before, unless the key remained safe', () => {
      const given = (reason: Reason) => ({ evidence: { ocsp: revokedLater(reason) }, ...later })
      expect(said(carrying(good), later)).to.equal(PASSED)
      expect(said(carrying(good), given('keyCompromise'))).to.equal('intact TRY_LATER invalidOcspData keyInDoubt')
      expect(said(carrying(good), given('superseded'))).to.equal(PASSED)
    })

    it('leaves nothing of what an issuing CA said, by answers or CRLs', () => {
      const rootCrl = (reason: Reason) =>
        listing(hierarchy.root, issuing.certificate, { at: NOW + DAY, reason, thisUpdate: NOW + 2 * DAY })
      const given = (reason: Reason) => ({ evidence: { crls: [rootCrl(reason)] }, ...later })
      expect(said(carrying(good), given('keyCompromise'))).to.equal('intact TRY_LATER invalidOcspData keyInDoubt')
      expect(said(carrying(good), given('superseded'))).to.equal(PASSED)
      const bare = signer.signCms(TEXT, { timeStamp: true })
      const byCrl = (reason: Reason) => {
        const own = listing(issuing, authorities.person().certificate)
        return { evidence: { crls: [own, rootCrl(reason)] }, ...later }
      }
      expect(said(bare, byCrl('keyCompromise'))).to.equal('intact TRY_LATER invalidCertificateStatus keyInDoubt')
      expect(said(bare, byCrl('superseded'))).to.equal(PASSED)
    })

    it('leaves nothing of a time stamp when an OCSP answer tells it, carried or given', () => {
      const stamper = timeStamper(authorities)
      const rsa = hierarchy.issuing('rsa').certificate
      const told = (reason: number) =>
        basicResponse(
          ocspResponder(authorities),
          [
            answer(stamper.certificate, rsa, {
              status: certStatus.revoked(NOW + DAY, reason),
              thisUpdate: NOW + 2 * DAY,
            }),
          ],
          { producedAt: NOW + 2 * DAY },
        )
      const stamped = (...answers: Buffer[]) =>
        signer.signCms(TEXT, {
          unsignedAttributes: (_, value) => [
            signatureTimeStamp(tokenOf(stamper, tstInfo(value))),
            revocationValues(status(), ...answers),
          ],
        })
      expect(said(stamped(), later)).to.equal(PASSED)
      expect(said(stamped(told(REASON.superseded)), later)).to.equal(PASSED)
      expect(said(stamped(told(REASON.keyCompromise)), later)).to.match(/^intact/)
      expect(said(stamped(), { ...later, evidence: { ocsp: told(REASON.keyCompromise) } })).to.match(/^intact/)
    })
  })

  it('counts as well for what is kept, as a registry judges it again', () => {
    const read = readCms(signed)
    const { timeStamp, ocsp } = read
    if (timeStamp === undefined || ocsp === undefined) throw new Error('no evidence')
    const judge = (...crls: Buffer[]) =>
      verifySignature(read, { timeStamp: timeStamp.token, ocsp, crls }, { trust, now: NOW })
    expect(judge().status).not.to.equal(undefined)
    expect(reasonOf(() => judge(listing(issuing, signer.certificate)))).to.equal('invalidCertificateStatus: revoked')
  })
})
