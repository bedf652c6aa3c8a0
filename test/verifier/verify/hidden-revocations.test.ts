import { expect } from 'chai'
import { CertificationAuthority } from '#dev-authorities/certification-authority.js'
import { revocationValues, signatureTimeStamp } from '#dev-authorities/cms/attributes.js'
import { explicit, sequence } from '#dev-authorities/der/writer.js'
import { certificateFields, signCertificate } from '#dev-authorities/x509/certificate.js'
import { caProfile } from '#dev-authorities/x509/profiles.js'
import { type VerifyOptions, verify } from '#verifier/verify.js'
import { verifyFiles } from '#verifier/verify-files.js'
import { DAY, MINUTE, NOW, testAuthorities, testClock } from '../../support/pki/authorities.js'
import { listing, REASON } from '../../support/pki/listing.js'
import { answer, basicResponse, certStatus, ocspResponder } from '../../support/pki/ocsp-answers.js'
import { timeStamper, tokenOf, tstInfo } from '../../support/pki/tokens.js'
import { trustOf } from '../../support/pki/trust.js'

const TEXT = Buffer.from('a contract')
const REVOCATION_VALUES = '1.2.840.113549.1.9.16.2.24'
const CERTIFICATE_VALUES = '1.2.840.113549.1.9.16.2.23'

describe('a revocation that an attacker tries to hide', () => {
  const authorities = testAuthorities({ clock: testClock() })
  const trust = trustOf(authorities)
  const { hierarchy } = authorities
  const issuing = hierarchy.issuing('ecdsa')
  const signer = authorities.person()
  const said = (bytes: Uint8Array, options: Partial<VerifyOptions> = {}) => {
    const [verdict] = verify(bytes, { trust, at: NOW, document: TEXT, ...options }).signatures
    return [verdict?.conclusion, verdict?.refusal?.details?.reason].filter(Boolean).join(' ')
  }
  const status = () => authorities.ocsp.status(signer.certificate, signer.issuer)
  const carrying = (...answers: Buffer[]) =>
    signer.signCms(TEXT, { timeStamp: true, unsignedAttributes: (honest) => [...honest, revocationValues(...answers)] })

  it('is not hidden by forged CRLs and certificates of the name of the authority', () => {
    const { key } = authorities.person()
    const { subject } = certificateFields(issuing.certificate)
    const validity = { notBefore: NOW - DAY, notAfter: NOW + DAY }
    const twin = signCertificate(
      { ...validity, subject, issuer: subject, spki: key.spki, extensions: caProfile(key.spki) },
      key,
    )
    const forger = new CertificationAuthority({ certificate: issuing.certificate, key })
    const forged = Array.from({ length: 64 }, (_, index) =>
      listing(forger, authorities.person().certificate, { thisUpdate: NOW - index * MINUTE }),
    )
    const attributes = [
      { oid: REVOCATION_VALUES, values: [sequence(explicit(0, sequence(...forged)), explicit(1, sequence(status())))] },
      { oid: CERTIFICATE_VALUES, values: [sequence(twin)] },
    ]
    const junk = signer.signCms(TEXT, {
      timeStamp: true,
      unsignedAttributes: (honest) => [...honest, ...attributes],
    })
    expect(said(junk)).to.equal('validAt')
    const given = { evidence: { crls: [listing(issuing, signer.certificate)] } }
    expect(said(junk, given)).to.equal('intact revoked')
  })

  describe('by a responder whose key was compromised', () => {
    const [honest, thief] = [1, 2].map(() => ocspResponder(authorities, { issuer: 'ecdsa' }))
    if (honest === undefined || thief === undefined) throw new Error('no responders')
    const lost = (certificate: Buffer) =>
      answer(certificate, issuing.certificate, { status: certStatus.revoked(NOW - DAY, REASON.keyCompromise) })
    const good = basicResponse(thief, [answer(signer.certificate, signer.issuer)])
    const accusesHonest = basicResponse(thief, [lost(honest.certificate)])
    const tellsAll = basicResponse(honest, [
      lost(thief.certificate),
      answer(signer.certificate, signer.issuer, { status: certStatus.revoked(NOW - DAY) }),
    ])

    it('counts, in whatever order the two accuse each other', () => {
      for (const answers of [
        [good, accusesHonest, tellsAll],
        [tellsAll, accusesHonest, good],
        [accusesHonest, tellsAll, good],
      ]) {
        expect(said(carrying(...answers))).to.equal('intact revoked')
        expect(said(carrying(...answers.filter((one) => one !== tellsAll)), { evidence: { ocsp: tellsAll } })).to.equal(
          'intact revoked',
        )
      }
    })

    it('leaves "good" of one who was revoked before he said it, for whatever reason', () => {
      const superseded = answer(thief.certificate, issuing.certificate, {
        status: certStatus.revoked(NOW - DAY, REASON.superseded),
      })
      expect(said(carrying(good))).to.equal('validAt')
      expect(said(carrying(good, basicResponse(honest, [superseded])))).to.equal('intact responderRevoked')
    })

    it('does not take longer for every answer that he gives about himself', () => {
      const own = Array.from({ length: 40 }, (_, index) =>
        basicResponse(thief, [answer(thief.certificate, issuing.certificate, { thisUpdate: NOW - index * 1000 })]),
      )
      expect(said(carrying(good, ...own))).to.equal('validAt')
    })
  })

  it('of a time-stamping authority counts where its CA is in the token alone', () => {
    const stamper = timeStamper(authorities, { issuer: 'rsa' })
    const ca = hierarchy.issuing('rsa')
    const certificates = [stamper.certificate, ca.certificate]
    const anchors = { ...trust, intermediates: [] }
    const crl = listing(ca, stamper.certificate, { at: NOW + DAY, reason: 'keyCompromise', thisUpdate: NOW + 2 * DAY })
    const signed = (...crls: Buffer[]) =>
      signer.signCms(TEXT, {
        certificates: [signer.certificate, signer.issuer],
        unsignedAttributes: (_, value) => [
          signatureTimeStamp(tokenOf(stamper, tstInfo(value), { certificates })),
          {
            oid: REVOCATION_VALUES,
            values: [sequence(explicit(0, sequence(...crls)), explicit(1, sequence(status())))],
          },
        ],
      })
    const later = { trust: anchors, at: NOW + 3 * DAY }
    expect(said(signed(), later)).to.equal('validAt')
    expect(said(signed(), { ...later, evidence: { crls: [crl] } })).to.match(/^intact/)
    expect(said(signed(crl), later)).to.match(/^intact/)
  })

  it('of one who cannot be heard for junk is not silenced: answers by the hundred, certificates that are none', () => {
    const responder = ocspResponder(authorities, { issuer: 'ecdsa' })
    const revoked = answer(signer.certificate, signer.issuer, { status: certStatus.revoked(NOW - DAY) })
    const junk = Array.from({ length: 100 }, () => sequence())
    expect(said(carrying(...junk, status()))).to.equal('validAt')
    const certificates = [sequence(), responder.certificate]
    expect(said(carrying(status(), basicResponse(responder, [revoked], { certificates })))).to.equal('intact revoked')
  })

  it('does not report a file as completely signed because of byte ranges given by the caller', () => {
    const signed = signer.signCms(TEXT, { timeStamp: true, ocsp: true })
    const judge = (ranges: readonly (readonly [number, number])[], size?: number) => {
      const over = { name: 'c.pdf', document: TEXT, coverage: { of: 'ranges' as const, ranges } }
      const document = { name: 'c.pdf', document: new Map(), ...(size !== undefined && { size }) }
      return verifyFiles({ signatures: [{ name: 's', signed, over }], documents: [document] }, { trust, at: NOW })
        .outcome
    }
    expect(
      judge(
        [
          [0, 100],
          [9000, 9100],
        ],
        9100,
      ),
    ).to.equal('proved')
    for (const [ranges, size] of [
      [
        [
          [0, 100],
          [9000, 9100],
        ],
        undefined,
      ],
      [
        [
          [0, 100],
          [9000, 9100],
        ],
        9200,
      ],
      [
        [
          [0, 1],
          [7000, 7000],
        ],
        7000,
      ],
      [
        [
          [5, 100],
          [9000, 9100],
        ],
        9100,
      ],
      [[[0, 100]], 100],
      [
        [
          [0, 1],
          [9_000_000, 9_000_001],
        ],
        9_000_001,
      ],
    ] as const)
      expect(judge(ranges, size), JSON.stringify(ranges)).to.equal('unknown')
    const twice = [1, 2].map(() => ({ name: 'a', document: TEXT }))
    expect(() => verifyFiles({ signatures: [], documents: twice }, { trust })).to.throw(TypeError)
  })
})
