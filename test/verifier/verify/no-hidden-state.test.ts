import { expect } from 'chai'
import fc from 'fast-check'
import { type Attribute, revocationValues } from '#dev-authorities/cms/attributes.js'
import { explicit, octetString, sequence } from '#dev-authorities/der/writer.js'
import { CMS } from '#dev-authorities/oids.js'
import { certificateFields, signCertificate } from '#dev-authorities/x509/certificate.js'
import { keyUsage } from '#dev-authorities/x509/extensions.js'
import { reportOf } from '#verifier/report.js'
import { type VerifyOptions, verify } from '#verifier/verify.js'
import { MINUTE, NOW, testAuthorities, testClock } from '../../support/pki/authorities.js'
import { timeStamper, tokenOf, tstInfo } from '../../support/pki/tokens.js'
import { trustOf } from '../../support/pki/trust.js'

const TEXT = Buffer.from('a contract')
const full = { timeStamp: true, ocsp: true }

describe('a verdict', () => {
  const authorities = testAuthorities({ clock: testClock() })
  const complete = trustOf(authorities)
  const { hierarchy } = authorities

  it('depends on what it is given alone, not on what was verified before', () => {
    const rootAlone = { anchors: complete.anchors, intermediates: [] }
    const signatures = (['p256', 'rsa2048'] as const).flatMap((algorithm) => {
      const signer = authorities.person({ algorithm })
      const certificates = [signer.certificate, signer.issuer]
      return [signer.signCms(TEXT, full), signer.signCms(TEXT, { ...full, certificates })]
    })
    const judge = (bytes: Uint8Array, trust: VerifyOptions['trust']) =>
      JSON.stringify(reportOf(verify(bytes, { trust, at: NOW, document: TEXT })))
    // Each trust object is another one, so that nothing is known of it.
    const alone = signatures.map((bytes) => judge(bytes, { ...rootAlone }))
    expect(JSON.parse(alone[0] ?? '').indication).to.equal('INDETERMINATE')
    expect(JSON.parse(alone[1] ?? '').indication).to.equal('TOTAL-PASSED')
    const orders = fc.array(fc.nat(signatures.length - 1), { minLength: 2, maxLength: 8 })
    fc.assert(
      fc.property(orders, (order) => {
        const trust = { ...rootAlone }
        for (const index of order) expect(judge(signatures[index] ?? TEXT, trust), order.join()).to.equal(alone[index])
      }),
      { numRuns: 40 },
    )
  })

  it('does not get worse by unsigned attributes, which anybody may add', () => {
    const signer = authorities.person()
    const stamper = timeStamper(authorities)
    const otherStatus = authorities.ocsp.status(signer.issuer, hierarchy.root.certificate)
    const octets = fc.uint8Array({ maxLength: 40 }).map((bytes) => octetString(Buffer.from(bytes)))
    const junk = fc.oneof(
      octets,
      octets.map((one) => sequence(one)),
      octets.map((one) => sequence(explicit(0, sequence(one)), explicit(1, sequence(one)))),
      fc.constant(tokenOf(stamper, tstInfo(Buffer.from('another')))),
      fc.constant(authorities.crl('rsa')),
      fc.constant(revocationValues(otherStatus).values[0] ?? octetString(TEXT)),
    )
    const types = ['2.14', '2.20', '2.23', '2.24', '2.27', '2.48', '2.49', '1.1'].map(
      (arc) => `1.2.840.113549.1.9.16.${arc}`,
    )
    const attribute: fc.Arbitrary<Attribute> = fc.record({
      oid: fc.constantFrom(...types, '0.4.0.1733.2.4', '1.2.840.113549.1.9.6'),
      values: fc.array(junk, { minLength: 1, maxLength: 3 }),
    })
    fc.assert(
      fc.property(fc.array(attribute, { maxLength: 6 }), fc.nat(2), (more, place) => {
        const signed = signer.signCms(TEXT, {
          ...full,
          unsignedAttributes: (honest) => [...honest.slice(0, place), ...more, ...honest.slice(place)],
        })
        const { indication, signatures } = verify(signed, { trust: complete, at: NOW, document: TEXT })
        expect(indication).to.equal('TOTAL-PASSED')
        expect(signatures[0]?.conclusion).to.equal('validAt')
      }),
      { numRuns: 150 },
    )
  })

  it('is not worse for another certificate under the signer’s name and number, where what was signed says which is meant', () => {
    const signer = authorities.person()
    const { issuer, serial, subject } = certificateFields(signer.certificate)
    const { key } = authorities.person()
    const validity = { notBefore: NOW - MINUTE, notAfter: NOW + MINUTE }
    const twin = signCertificate(
      { issuer, serial, subject, spki: key.spki, extensions: [keyUsage(['nonRepudiation'])], ...validity },
      key,
    )
    const certificates = [twin, signer.certificate]
    const judge = (bytes: Uint8Array) => verify(bytes, { trust: complete, at: NOW, document: TEXT }).signatures[0]
    expect(judge(signer.signCms(TEXT, { ...full, certificates }))?.conclusion).to.equal('validAt')
    const unnamed = signer.signCms(TEXT, {
      ...{ ...full, certificates },
      signedAttributes: (honest) => honest.filter(({ oid }) => oid !== CMS.signingCertificateV2),
    })
    expect(judge(unnamed)?.refusal?.details?.reason).to.equal('certificateAmbiguous')
  })
})
