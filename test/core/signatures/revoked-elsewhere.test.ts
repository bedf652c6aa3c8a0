import { expect } from 'chai'
import { CollectEvidence } from '#core/signatures/collect-evidence.js'
import { defaultSignaturePolicy } from '#core/signatures/signature-policy.js'
import { explicit, sequence } from '#dev-authorities/der/writer.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { verifySignature } from '#verifier/verify-signature.js'
import { Crl } from '#verifier/x509/crl.js'
import { DAY, NOW, testAuthorities, testClock } from '../../support/pki/authorities.js'
import { listing } from '../../support/pki/listing.js'
import { trustOf } from '../../support/pki/trust.js'
import { reasonOf, rejectionOf } from '../../support/refusal.js'

const DOCUMENT = Buffer.from('a document')
const REVOCATION_VALUES = '1.2.840.113549.1.9.16.2.24'

describe('a signer whom an OCSP answer calls good', () => {
  const clock = testClock()
  const authorities = testAuthorities({ clock })
  const bare = trustOf(authorities)
  const person = authorities.person()
  const issuing = authorities.hierarchy.issuing('ecdsa')
  const revoking = listing(issuing, person.certificate)
  const harmless = listing(issuing, authorities.person().certificate)
  const collect = (signature: Buffer, crls: readonly Buffer[] = []) => {
    const trust = { ...bare, crls: crls.map((der) => Crl.parse(der)) }
    return new CollectEvidence({
      trustStore: { trust: () => trust, state: () => ({ loadedAt: NOW, anchors: 1 }) },
      timestamps: { url: 'http://tsp.test/', timestamp: async (request) => authorities.tsa.respond(request) },
      statuses: {
        urlFor: () => 'http://ocsp.test/',
        status: async (_, request) => authorities.ocsp.respond(request),
      },
      statistics: { record: () => undefined },
      clock,
      policy: defaultSignaturePolicy,
      keys: [],
    }).execute(readCms(signature))
  }
  const bareSignature = person.signCms(DOCUMENT)
  const carrying = (crl: Buffer) =>
    person.signCms(DOCUMENT, {
      unsignedAttributes: () => [{ oid: REVOCATION_VALUES, values: [sequence(explicit(0, sequence(crl)))] }],
    })

  it('is not registered when a CRL of the trust revokes him, whether the answer was asked for or came along', async () => {
    for (const signature of [bareSignature, person.signCms(DOCUMENT, { timeStamp: true, ocsp: true })]) {
      expect((await rejectionOf(collect(signature, [revoking]))).code).to.equal('invalidCertificateStatus')
      expect((await collect(signature, [harmless])).status).not.to.equal(undefined)
    }
  })

  it('is not registered when a CRL that his signature carries revokes him', async () => {
    const { code, details } = await rejectionOf(collect(carrying(revoking)))
    expect([code, details?.reason]).to.deep.equal(['invalidCertificateStatus', 'revoked'])
    expect((await collect(carrying(harmless))).status).not.to.equal(undefined)
  })

  it('is refused when what is kept is judged again and the trust has heard of a revocation from before', async () => {
    const { timeStamp, status } = await collect(bareSignature)
    const judge = (crl: Buffer) =>
      verifySignature(
        readCms(bareSignature),
        { timeStamp: timeStamp.token, ocsp: status?.response },
        { trust: { ...bare, crls: [Crl.parse(crl)] }, now: NOW + 3 * DAY },
      )
    expect(reasonOf(() => judge(revoking))).to.equal('invalidCertificateStatus: revoked')
    const later = listing(issuing, person.certificate, { at: NOW + DAY, thisUpdate: NOW + 2 * DAY })
    expect(judge(later).status).not.to.equal(undefined)
  })
})
