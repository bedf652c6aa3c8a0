import { expect } from 'chai'
import { CollectEvidence } from '#core/signatures/collect-evidence.js'
import { defaultSignaturePolicy } from '#core/signatures/signature-policy.js'
import { ocspResponse } from '#dev-authorities/authority/ocsp.js'
import { signatureTimeStamp } from '#dev-authorities/cms/attributes.js'
import { explicit, implicit, integer, oid, sequence } from '#dev-authorities/der/writer.js'
import { CMS } from '#dev-authorities/oids.js'
import type { Revocation } from '#dev-authorities/x509/crl.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { readSignedData } from '#verifier/cms/signed-data.js'
import { encoded } from '#verifier/der/reader.js'
import { writeElement } from '#verifier/der/writer.js'
import { verifySignature } from '#verifier/verify-signature.js'
import { Crl } from '#verifier/x509/crl.js'
import { DAY, NOW, testAuthorities, testClock } from '../../support/pki/authorities.js'
import { listing } from '../../support/pki/listing.js'
import { timeStamper, tokenOf, tstInfo } from '../../support/pki/tokens.js'
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
    }).collect(readCms(signature))
  }
  const bareSignature = person.signCms(DOCUMENT)
  const carrying = (crl: Buffer) =>
    person.signCms(DOCUMENT, {
      unsignedAttributes: () => [{ oid: REVOCATION_VALUES, values: [sequence(explicit(0, sequence(crl)))] }],
    })

  it('is not registered when a CRL of the trust set revokes them, whether the answer was asked for or carried', async () => {
    for (const signature of [bareSignature, person.signCms(DOCUMENT, { timeStamp: true, ocsp: true })]) {
      expect((await rejectionOf(collect(signature, [revoking]))).code).to.equal('invalidCertificateStatus')
      expect((await collect(signature, [harmless])).status).not.to.equal(undefined)
    }
  })

  it('is not registered when a CRL in their signature revokes them', async () => {
    const { code, details } = await rejectionOf(collect(carrying(revoking)))
    expect([code, details?.reason]).to.deep.equal(['invalidCertificateStatus', 'revoked'])
    expect((await collect(carrying(harmless))).status).not.to.equal(undefined)
  })

  it('is refused in a later verification when the trust set has learned of an earlier revocation', async () => {
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

  it('is not registered by a time stamp whose authority’s certificate has expired since', async () => {
    const stamper = timeStamper(authorities, { notAfter: NOW + DAY })
    const signature = person.signCms(DOCUMENT, {
      ocsp: true,
      unsignedAttributes: (honest, value) => [signatureTimeStamp(tokenOf(stamper, tstInfo(value))), ...honest],
    })
    expect((await collect(signature)).timeStamp.genTime).to.equal(NOW)
    clock.time = NOW + 2 * DAY
    try {
      const { code, details } = await rejectionOf(collect(signature))
      expect([code, details?.reason]).to.deep.equal(['invalidTspTimeStamp', 'authorityEnded'])
    } finally {
      clock.time = NOW
    }
  })

  it('is not registered when an answer in the revocation information of the CMS says revoked', async () => {
    const told = (status: 'good' | Revocation) =>
      authorities.ocsp.status(person.certificate, person.issuer, ({ answers }) => ({
        answers: answers.map((one) => ({ ...one, status })),
      }))
    const withInfo = (answer: Buffer) => {
      const { parts } = readSignedData(person.signCms(DOCUMENT, { timeStamp: true, ocsp: true }))
      const { digestAlgorithms, encapContentInfo, certificates, signerInfos } = parts
      if (certificates === undefined) throw new Error('no certificates')
      const info = implicit(1, sequence(oid('1.3.6.1.5.5.7.16.2'), ocspResponse(answer)))
      const before = [integer(5), ...[digestAlgorithms, encapContentInfo, certificates].map(encoded)]
      const fields = [...before, writeElement(0xa1, info), encoded(signerInfos)]
      return sequence(oid(CMS.signedData), explicit(0, sequence(...fields)))
    }
    expect((await collect(withInfo(told('good')))).status).not.to.equal(undefined)
    const revoked = told({ serial: Buffer.of(1), at: NOW - DAY, reason: 'superseded' })
    expect((await rejectionOf(collect(withInfo(revoked)))).code).to.equal('invalidCertificateStatus')
  })
})
