import { expect } from 'chai'
import { certId, ocspRefusal, ocspResponse } from '#dev-authorities/authority/ocsp.js'
import { element, enumerated, explicit, integer, octetString, oid, sequence } from '#dev-authorities/der/writer.js'
import { digest, type HashName } from '#dev-authorities/hashes.js'
import { generateKey } from '#dev-authorities/keys.js'
import { certificateFields, signCertificate } from '#dev-authorities/x509/certificate.js'
import {
  basicConstraints,
  extendedKeyUsage,
  keyUsage,
  ocspNoCheck,
  publicKeyBits,
} from '#dev-authorities/x509/extensions.js'
import { name } from '#dev-authorities/x509/name.js'
import { defaultAlgorithmPolicy } from '#verifier/algorithms/policy.js'
import { buildOcspRequest } from '#verifier/status/ocsp-request.js'
import { verifyOcsp } from '#verifier/status/verify-ocsp.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { Crl } from '#verifier/x509/crl.js'
import { DAY, MINUTE, NOW, testAuthorities } from '../../support/pki/authorities.js'
import {
  answer,
  basicResponse,
  certStatus,
  honestResponderExtensions,
  nonceExtension,
  ocspResponder,
} from '../../support/pki/ocsp-answers.js'
import { trustOf } from '../../support/pki/trust.js'
import { reasonOf, refusalOf } from '../../support/refusal.js'

const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9'

describe('certificate status (OCSP)', () => {
  const authorities = testAuthorities()
  const issuingCa = authorities.hierarchy.issuing('rsa')
  const person = authorities.person({ issuer: 'rsa' })
  const other = authorities.person({ issuer: 'rsa' })
  const responder = ocspResponder(authorities)
  const context = {
    certificate: Certificate.parse(person.certificate),
    issuer: Certificate.parse(person.issuer),
    trust: trustOf(authorities),
    time: NOW,
    now: NOW,
  }
  const about = (changes = {}) => answer(person.certificate, person.issuer, changes)
  const verify = (response: Uint8Array, changes = {}) => verifyOcsp(response, { ...context, ...changes })
  const reason = (response: Uint8Array, changes = {}) => reasonOf(() => verify(response, changes))
  const refused = (why: string) => `invalidOcspData: ${why}`

  it('is not asked for or judged as of an issuer whose name is not that of the certificate’s issuer', () => {
    const response = basicResponse(responder, [about()])
    // The same key under another name: every hash of it agrees.
    const namesake = signCertificate(
      {
        ...certificateFields(person.issuer),
        subject: name(['CN', 'ANOTHER NAME']),
        notBefore: NOW - DAY,
        notAfter: NOW + DAY,
        extensions: [basicConstraints(true)],
      },
      issuingCa.key,
    )
    const issuer = Certificate.parse(namesake)
    expect(reason(response, { issuer })).to.equal(refused('issuerDiffers'))
    const question = { certificate: context.certificate, issuer, nonce: Buffer.of(1) }
    expect(reasonOf(() => buildOcspRequest(question))).to.equal(refused('issuerDiffers'))
    expect(buildOcspRequest({ ...question, issuer: context.issuer }).length).to.be.greaterThan(50)
    expect(verify(response).thisUpdate).to.equal(NOW)
  })

  describe('is good', () => {
    it('from a delegate named by key hash or by name, inside an OCSPResponse or bare', () => {
      for (const by of ['key', 'name'] as const) {
        const response = basicResponse(responder, [about()], { by })
        expect(verify(response).responder.der).to.deep.equal(new Uint8Array(responder.certificate))
        const status = verify(ocspResponse(response))
        expect(Buffer.compare(status.response, response)).to.equal(0)
        expect(status).to.include({ thisUpdate: NOW, producedAt: NOW, nextUpdate: undefined, revocation: undefined })
      }
    })

    it('from the issuing CA itself, its certificate embedded or not', () => {
      for (const certificates of [[], [issuingCa.certificate]]) {
        for (const by of ['key', 'name'] as const) {
          const response = basicResponse(issuingCa, [about()], { by, certificates })
          expect(verify(response).responder.fingerprint).to.equal(context.issuer.fingerprint)
        }
      }
    })

    for (const hash of ['sha1', 'sha256', 'sha384', 'sha512'] as const satisfies readonly HashName[]) {
      it(`when the CertID is made with ${hash}`, () => {
        expect(verify(basicResponse(responder, [about({ hash })])).thisUpdate).to.equal(NOW)
      })
    }

    it('among responses about other certificates, whatever their status', () => {
      const another = answer(other.certificate, other.issuer, { status: certStatus.revoked(NOW - DAY) })
      expect(verify(basicResponse(responder, [another, about()])).revocation).to.equal(undefined)
    })

    it('when it was revoked after the time judged, and the revocation is kept', () => {
      const status = certStatus.revoked(NOW + MINUTE, 1)
      const response = basicResponse(responder, [about({ status, thisUpdate: NOW + 2 * MINUTE })], {
        producedAt: NOW + 2 * MINUTE,
      })
      const { revocation } = verify(response, { now: NOW + 3 * MINUTE })
      expect(revocation).to.deep.equal({ revokedAt: NOW + MINUTE, reason: 'keyCompromise' })
    })

    it('from a delegate whose no-check extension has no octets in place of NULL, as national responders write it', () => {
      const empty = { ...ocspNoCheck(), value: Buffer.alloc(0) }
      const lax = ocspResponder(authorities, { extensions: [...honestResponderExtensions.slice(0, 2), empty] })
      expect(verify(basicResponse(lax, [about()])).thisUpdate).to.equal(NOW)
      const wrong = ocspResponder(authorities, {
        extensions: [...honestResponderExtensions.slice(0, 2), { ...ocspNoCheck(), value: integer(1) }],
      })
      expect(reason(basicResponse(wrong, [about()]))).to.match(/^invalidOcspData/)
    })

    it('with the nonce that was sent', () => {
      const nonce = Buffer.from('00112233445566778899aabbccddeeff', 'hex')
      expect(verify(basicResponse(responder, [about()], { extensions: [nonceExtension(nonce)] }), { nonce })).to.be.ok
    })

    it('for ever after, when every certificate on it has expired', () => {
      const brief = ocspResponder(authorities, { notAfter: NOW + DAY })
      const response = basicResponse(brief, [about({ nextUpdate: NOW + DAY })])
      expect(verify(response, { now: NOW + 10 * 365 * DAY }).thisUpdate).to.equal(NOW)
    })
  })

  describe('refuses', () => {
    it('a certificate that was revoked, with time and reason', () => {
      const status = certStatus.revoked(NOW - DAY, 3)
      const { code, details } = refusalOf(() => verify(basicResponse(responder, [about({ status })])))
      expect(code).to.equal('invalidCertificateStatus')
      expect(details).to.include({
        reason: 'revoked',
        revokedAt: NOW - DAY,
        revocationReason: 'affiliationChanged',
        serialNumber: context.certificate.serialNumber,
      })
    })

    it('a certificate that was revoked at the very moment, or is on hold', () => {
      for (const status of [certStatus.revoked(NOW), certStatus.revoked(0, 6)]) {
        expect(reason(basicResponse(responder, [about({ status })]))).to.equal('invalidCertificateStatus: revoked')
      }
    })

    it('a certificate that is called revoked from a later day on', () => {
      const status = certStatus.revoked(NOW + DAY)
      expect(reason(basicResponse(responder, [about({ status })]))).to.equal('invalidCertificateStatus: revoked')
    })

    it('a certificate that the responder does not know', () => {
      const response = basicResponse(responder, [about({ status: certStatus.unknown })])
      expect(reason(response)).to.equal('invalidCertificateStatus: unknown')
    })

    it('good and revoked for the same certificate: revoked wins, in any order and under any CertID digest', () => {
      const revoked = about({ status: certStatus.revoked(NOW - DAY), hash: 'sha1', thisUpdate: NOW - MINUTE })
      for (const answers of [
        [about(), revoked],
        [revoked, about()],
      ]) {
        expect(reason(basicResponse(responder, answers))).to.equal('invalidCertificateStatus: revoked')
      }
      const unknown = about({ status: certStatus.unknown })
      expect(reason(basicResponse(responder, [about(), unknown]))).to.equal('invalidCertificateStatus: unknown')
    })

    it('an answer about another certificate', () => {
      const response = basicResponse(responder, [answer(other.certificate, other.issuer)])
      expect(reason(response)).to.equal(refused('otherCertificate'))
    })

    it('an answer with other issuer hashes for the same serial number', () => {
      const { serial } = certificateFields(person.certificate)
      const { subject, spki } = certificateFields(person.issuer)
      const sha256 = sequence(oid('2.16.840.1.101.3.4.2.1'))
      const names = digest('sha256', subject)
      const keys = digest('sha256', publicKeyBits(spki))
      const id = (nameHash: Buffer, keyHash: Buffer, algorithm = sha256) =>
        sequence(algorithm, octetString(nameHash), octetString(keyHash), integer(serial))
      expect(verify(basicResponse(responder, [about({ certId: id(names, keys) })])).thisUpdate).to.equal(NOW)
      const unknownDigest = sequence(oid('1.2.3.4'))
      for (const wrong of [id(keys, keys), id(names, names), id(names, keys, unknownDigest)]) {
        expect(reason(basicResponse(responder, [about({ certId: wrong })]))).to.equal(refused('otherCertificate'))
      }
    })

    it('the same serial number of another CA', () => {
      const { serial } = certificateFields(person.certificate)
      const foreign = sequence(...[certId(person.certificate, authorities.hierarchy.issuing('ecdsa').certificate)])
      expect(foreign.includes(serial)).to.equal(true)
      const id = certId(person.certificate, authorities.hierarchy.issuing('ecdsa').certificate)
      expect(reason(basicResponse(responder, [about({ certId: id })]))).to.equal(refused('otherCertificate'))
    })

    it('a responder without OCSPSigning among its purposes, and one that may do anything', () => {
      for (const purposes of [['1.3.6.1.5.5.7.3.8'], ['2.5.29.37.0']]) {
        const impostor = ocspResponder(authorities, { extensions: [extendedKeyUsage(purposes), ocspNoCheck()] })
        expect(reason(basicResponse(impostor, [about()]))).to.equal(refused('responderUsage'))
      }
      const silent = ocspResponder(authorities, { extensions: [ocspNoCheck()] })
      expect(reason(basicResponse(silent, [about()]))).to.equal(refused('responderUsage'))
    })

    it('a responder whose key is not for signing', () => {
      const extensions = [keyUsage(['keyEncipherment']), extendedKeyUsage([OCSP_SIGNING]), ocspNoCheck()]
      expect(reason(basicResponse(ocspResponder(authorities, { extensions }), [about()]))).to.equal(
        refused('responderUsage'),
      )
    })

    it('an ordinary person of the same CA, and the person in question', () => {
      expect(reason(basicResponse(other, [about()]))).to.equal(refused('responderUsage'))
      expect(reason(basicResponse(person, [about()]))).to.equal(refused('responderUsage'))
    })

    it('a delegate of another CA of the same root', () => {
      const foreign = ocspResponder(authorities, { issuer: 'ecdsa' })
      expect(reason(basicResponse(foreign, [about()]))).to.equal(refused('responderOfAnotherIssuer'))
    })

    it('a delegate that an impostor CA of the same name certified', () => {
      const impostorKey = generateKey('p256')
      const { subject } = certificateFields(person.issuer)
      const key = generateKey('p256')
      const made = { subject, issuer: subject, notBefore: NOW - DAY, notAfter: NOW + DAY }
      const impostor = signCertificate(
        { ...made, spki: impostorKey.spki, extensions: [basicConstraints(true), keyUsage(['keyCertSign'])] },
        impostorKey,
      )
      const certificate = signCertificate(
        { ...made, spki: key.spki, extensions: honestResponderExtensions },
        impostorKey,
      )
      const response = basicResponse({ key, certificate }, [about()], { certificates: [certificate, impostor] })
      expect(refusalOf(() => verify(response)).code).to.equal('invalidOcspData')
    })

    it('a delegate that needs a status of its own and has none, or was revoked', () => {
      const extensions = honestResponderExtensions.slice(0, 2)
      const checked = ocspResponder(authorities, { extensions })
      const response = basicResponse(checked, [about()])
      const withCrl = () => ({ trust: { ...context.trust, crls: [Crl.parse(authorities.crl('rsa'))] } })
      expect(reason(response)).to.equal(refused('responderStatusUnknown'))
      expect(verify(response, withCrl()).thisUpdate).to.equal(NOW)
      issuingCa.revoke(checked.certificate, NOW - MINUTE, 'keyCompromise')
      expect(reason(response, withCrl())).to.equal(refused('responderRevoked'))
    })

    it('a delegate that was revoked although it needs no status of its own', () => {
      const revoked = ocspResponder(authorities)
      issuingCa.revoke(revoked.certificate, NOW - MINUTE, 'keyCompromise')
      const trust = { ...context.trust, crls: [Crl.parse(authorities.crl('rsa'))] }
      expect(reason(basicResponse(revoked, [about()]), { trust })).to.equal(refused('responderRevoked'))
    })

    it('an answer produced outside the validity of its responder', () => {
      const late = ocspResponder(authorities, { notBefore: NOW + MINUTE })
      expect(reason(basicResponse(late, [about()]))).to.equal(refused('responderNotValid'))
      const early = ocspResponder(authorities, { notAfter: NOW - MINUTE })
      expect(reason(basicResponse(early, [about()]))).to.equal(refused('responderNotValid'))
    })

    it('a responder that is not in the answer, or named otherwise', () => {
      expect(reason(basicResponse(responder, [about()], { certificates: [] }))).to.equal(refused('responderNotFound'))
      const responderId = explicit(2, octetString(digest('sha256', publicKeyBits(responder.key.spki))))
      expect(reason(basicResponse(responder, [about()], { responderId }))).to.equal(refused('responderNotFound'))
    })

    it('a signature by another key under the name of the responder', () => {
      const twin = { key: generateKey('p256'), certificate: responder.certificate }
      expect(reason(basicResponse(twin, [about()], { by: 'name' }))).to.equal(refused('signature'))
    })

    it('a signature by SHA-1, and one by an algorithm that has fallen since', () => {
      const { code, details } = refusalOf(() => verify(basicResponse(responder, [about()], { hash: 'sha1' })))
      expect(code).to.equal('algorithmNotTrusted')
      expect(details).to.include({ evidence: 'ocsp', reason: 'digest' })
      const digestsTrustedUntil = { '2.16.840.1.101.3.4.2.1': NOW + DAY }
      const algorithms = { ...defaultAlgorithmPolicy, digestsTrustedUntil }
      const response = basicResponse(responder, [about()])
      expect(verify(response, { algorithms }).thisUpdate).to.equal(NOW)
      expect(refusalOf(() => verify(response, { algorithms, now: NOW + DAY })).code).to.equal('algorithmNotTrusted')
    })

    it('a nonce that is missing or another than was sent', () => {
      const nonce = Buffer.alloc(16, 1)
      expect(reason(basicResponse(responder, [about()]), { nonce })).to.equal(refused('nonceMissing'))
      const extensions = [nonceExtension(Buffer.alloc(16, 2))]
      expect(reason(basicResponse(responder, [about()], { extensions }), { nonce })).to.equal(refused('nonceDiffers'))
    })

    it('an unknown critical extension of the response or of the answer; others are left in peace', () => {
      const unknown = (critical: boolean) => [{ oid: '1.2.3.4', critical, value: Buffer.from([5, 0]) }]
      const response = (critical: boolean) => basicResponse(responder, [about()], { extensions: unknown(critical) })
      expect(verify(response(false)).thisUpdate).to.equal(NOW)
      expect(reason(response(true))).to.equal(refused('unknownCriticalExtension'))
      const single = (critical: boolean) => basicResponse(responder, [about({ extensions: unknown(critical) })])
      expect(verify(single(false)).thisUpdate).to.equal(NOW)
      expect(reason(single(true))).to.equal(refused('unknownCriticalExtension'))
    })

    it('a stale response: nextUpdate is before the time in question', () => {
      const response = basicResponse(responder, [about({ thisUpdate: NOW - 3 * MINUTE, nextUpdate: NOW - 2 * MINUTE })])
      expect(reason(response)).to.equal(refused('stale'))
    })

    it('a response more than five minutes before or after the time in question', () => {
      const response = (at: number) => basicResponse(responder, [about({ thisUpdate: at })], { producedAt: at })
      const later = { now: NOW + DAY }
      for (const good of [NOW - 5 * MINUTE, NOW + 5 * MINUTE]) {
        expect(verify(response(good), later).thisUpdate).to.equal(good)
      }
      for (const bad of [NOW - 5 * MINUTE - 1000, NOW + 5 * MINUTE + 1000]) {
        expect(reason(response(bad), later)).to.equal('evidenceTimesDiffer: gap')
        expect(verify(response(bad), { ...later, maxGap: DAY }).thisUpdate).to.equal(bad)
      }
    })

    it('an answer from the future, beyond a minute', () => {
      const response = (at: number) => basicResponse(responder, [about({ thisUpdate: at })], { producedAt: at })
      expect(verify(response(NOW + MINUTE)).thisUpdate).to.equal(NOW + MINUTE)
      expect(reason(response(NOW + 2 * MINUTE))).to.equal(refused('producedInFuture'))
      const update = basicResponse(responder, [about({ thisUpdate: NOW + 2 * MINUTE })])
      expect(reason(update)).to.equal(refused('fromFuture'))
    })

    it('times that contradict each other', () => {
      const reversed = basicResponse(responder, [about({ nextUpdate: NOW - 1000 })])
      expect(reason(reversed)).to.equal(refused('updatesReversed'))
      const produced = basicResponse(responder, [about()], { producedAt: NOW - 2 * MINUTE })
      expect(reason(produced)).to.equal(refused('producedBeforeUpdate'))
    })

    for (const status of ['malformedRequest', 'internalError', 'tryLater', 'sigRequired', 'unauthorized'] as const) {
      it(`the response status ${status}`, () => {
        const { code, details } = refusalOf(() => verify(ocspRefusal(status)))
        expect({ code, ...details }).to.include({ code: 'invalidOcspData', reason: 'notSuccessful', status })
      })
    }

    const basic = basicResponse(responder, [about()])
    const malformed = {
      'an unknown response status': sequence(enumerated(4)),
      'a status of success without an answer': sequence(enumerated(0)),
      'a failure with an answer': sequence(
        enumerated(3),
        explicit(0, sequence(oid('1.3.6.1.5.5.7.48.1.1'), octetString(basic))),
      ),
      'another type of response': sequence(enumerated(0), explicit(0, sequence(oid('1.2.3'), octetString(basic)))),
      'a coded default version': basicResponse(responder, [about()], { version: integer(0) }),
      'no answers': basicResponse(responder, []),
      'an unknown status': basicResponse(responder, [about({ status: element(0x83) })]),
      'a status good with content': basicResponse(responder, [about({ status: element(0x80, Buffer.of(1)) })]),
      'an unknown revocation reason': basicResponse(responder, [about({ status: certStatus.revoked(NOW - DAY, 7) })]),
      'a responder of another form': basicResponse(responder, [about()], {
        responderId: explicit(3, octetString(basic)),
      }),
      'trailing bytes': Buffer.concat([basic, Buffer.of(0)]),
      truncation: basic.subarray(0, basic.length - 1),
      nothing: Buffer.alloc(0),
      text: Buffer.from('not an answer'),
    }
    for (const [what, response] of Object.entries(malformed)) {
      it(`a malformed answer: ${what}`, () => expect(reason(response)).to.equal(refused('malformed')))
    }

    it('an answer whose responder is nowhere among certificates that can be read', () => {
      const unread = basicResponse(responder, [about()], { certificates: [sequence()] })
      expect(reason(unread)).to.equal(refused('responderNotFound'))
    })

    it('an answer of unreasonable size', () => {
      expect(reason(Buffer.alloc(300_000))).to.equal(refused('tooLarge'))
    })
  })
})
