import { expect } from 'chai'
import { generateKey } from '#dev-authorities/keys.js'
import { signCertificate } from '#dev-authorities/x509/certificate.js'
import { basicConstraints } from '#dev-authorities/x509/extensions.js'
import { ConfiguredTrust } from '#online-authorities/configured-trust.js'
import { defaultAlgorithmPolicy } from '#verifier/algorithms/policy.js'
import { buildPath } from '#verifier/path/build-path.js'
import { trustEntries } from '#verifier/path/read-trust.js'
import { readBasicOcspResponse } from '#verifier/status/basic-ocsp-response.js'
import { readOcspResponse } from '#verifier/status/ocsp-response.js'
import { verifyOcsp } from '#verifier/status/verify-ocsp.js'
import { readTimeStampResponse } from '#verifier/timestamp/time-stamp-exchange.js'
import { verifyTimeStamp, verifyTimeStampToken } from '#verifier/timestamp/verify-time-stamp.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { conformanceDir, conformanceFile, requireConformance } from '../support/conformance.js'
import { DAY, testClock } from '../support/pki/authorities.js'
import { reasonOf, refusalOf } from '../support/refusal.js'
import { Scoreboard } from '../support/scoreboard.js'

const file = (name: string) => conformanceFile(`kz/tsp-ocsp/${name}`)
const certificate = (name: string): Certificate => {
  const [entry] = trustEntries({ name, bytes: file(name) })
  return Certificate.parse(entry?.der ?? Buffer.alloc(0))
}

const ANSWERS = [
  { name: 'ocsp_response_individual_sign_2004.bin', issuer: 'nca_rsa_test.crt', status: 'good' },
  { name: 'ocsp_response_ceo_sign_2004_revoked.bin', issuer: 'nca_gost_test.crt', status: 'superseded' },
  { name: 'ocsp_response_ceo_2015_revoked.bin', issuer: 'nca_gost2015_test.cer', status: 'certificateHold' },
  // The responder does not know this one and says so by a hold from 1970.
  { name: 'ocsp_response_individual_2015.bin', issuer: 'nca_gost2015_test.cer', status: 'certificateHold' },
] as const

const SHA_1 = '1.3.14.3.2.26'

describe('conformance: Kazakh evidence', () => {
  before(function () {
    requireConformance(this, 'kz/tsp-ocsp')
  })

  describe('OCSP answers', () => {
    const key = generateKey('p256')

    /** The certificates that were asked about are not published: one of the same issuer and serial number stands in. */
    const asked = (answer: Uint8Array, issuer: Certificate) => {
      const { basic = Buffer.alloc(0) } = readOcspResponse(answer)
      const { responses, producedAt } = readBasicOcspResponse(basic)
      const serial = responses[0]?.certId.serialBytes ?? Buffer.alloc(0)
      const name = issuer.subject.der
      const validity = { notBefore: producedAt - DAY, notAfter: producedAt + DAY }
      const der = signCertificate(
        { issuer: name, subject: name, spki: key.spki, serial, ...validity, extensions: [basicConstraints(false)] },
        key,
      )
      const trust = { anchors: [issuer], intermediates: [] }
      return { certificate: Certificate.parse(der), issuer, trust, time: producedAt, now: producedAt }
    }

    it('give the results that the authority intended: RSA, GOST 34.310-2004 and GOST 34.10-2015', () => {
      const score = new Scoreboard('kz/tsp-ocsp, OCSP answers')
      for (const { name, issuer, status } of ANSWERS) {
        const answer = file(name)
        const judge = () => verifyOcsp(answer, asked(answer, certificate(issuer))).thisUpdate > 0
        score.judge(name, status === 'good' ? 'accept' : 'reject', judge)
        if (status === 'good') continue
        const { code, details } = refusalOf(judge)
        expect({ code, reason: details?.reason, revocationReason: details?.revocationReason }).to.deep.equal({
          code: 'invalidCertificateStatus',
          reason: 'revoked',
          revocationReason: status,
        })
      }
      score.print()
      score.expectAllRight(ANSWERS.length)
    })

    it('prove nothing with one bit changed, under another issuer, about another certificate or at another time', () => {
      for (const { name, issuer } of ANSWERS) {
        const answer = file(name)
        const context = asked(answer, certificate(issuer))
        const forged = Buffer.from(answer)
        const signed = forged.length >> 3
        forged[signed] = (forged[signed] as number) ^ 1
        expect(refusalOf(() => verifyOcsp(forged, context)).code, name).to.equal('invalidOcspData')
        for (const other of ANSWERS.filter((one) => one.issuer !== issuer)) {
          const foreign = { ...context, issuer: certificate(other.issuer) }
          expect(reasonOf(() => verifyOcsp(answer, foreign))).to.equal('invalidOcspData: issuerDiffers')
          const theirs = asked(file(other.name), certificate(other.issuer))
          expect(reasonOf(() => verifyOcsp(answer, theirs))).to.equal('invalidOcspData: otherCertificate')
        }
      }
      const answer = file(ANSWERS[0].name)
      const context = asked(answer, certificate(ANSWERS[0].issuer))
      const later = { ...context, time: context.time + DAY / 2, now: context.now + DAY }
      expect(refusalOf(() => verifyOcsp(answer, later)).code).to.equal('evidenceTimesDiffer')
    })
  })

  describe('time stamps', () => {
    const context = () => ({
      trust: { anchors: [certificate('nca_gost_test.crt')], intermediates: [] },
      now: Date.UTC(2022, 8, 19),
    })
    const signatures = [
      ['tsp_token.bin', () => file('tsp_token.bin')],
      ['tsp_response.bin', () => readTimeStampResponse(file('tsp_response.bin')).token ?? Buffer.alloc(0)],
    ] as const

    it('of the GOST 34.310-2004 authority are signed by it, under its issuing CA', () => {
      for (const [name, token] of signatures) {
        const { genTime, policy, signer, info } = verifyTimeStampToken(token(), context())
        expect(new Date(genTime).toISOString(), name).to.equal('2022-09-18T13:20:14.000Z')
        expect(policy).to.equal('1.2.398.3.3.2.6.1')
        expect(info.serialNumber).to.equal('5e846dd75d861154db10f13c54dc1f8d33fe6adc')
        expect(signer.subject.toString()).to.contain('СЕРВИС МЕТКИ ВРЕМЕНИ')
      }
    })

    it('are refused as proof of anything: their imprint is made with SHA-1, and not of our bytes', () => {
      const token = file('tsp_token.bin')
      const { code, details } = refusalOf(() => verifyTimeStamp(token, Buffer.from('test'), context()))
      expect({ code, oid: details?.oid }).to.deep.equal({ code: 'algorithmNotTrusted', oid: SHA_1 })
      const digestsTrustedUntil = { [SHA_1]: Number.POSITIVE_INFINITY }
      const lenient = { ...context(), algorithms: { ...defaultAlgorithmPolicy, digestsTrustedUntil } }
      expect(reasonOf(() => verifyTimeStamp(token, Buffer.from('test'), lenient))).to.equal(
        'invalidTspTimeStamp: imprint',
      )
    })

    it('prove nothing with any octet of what is signed changed', () => {
      const token = file('tsp_token.bin')
      const start = token.indexOf(Buffer.from('305f0201', 'hex'))
      for (let index = start; index < start + 97; index += 7) {
        const forged = Buffer.from(token)
        forged[index] = (forged[index] as number) ^ 1
        expect(refusalOf(() => verifyTimeStampToken(forged, context())).code).to.equal('invalidTspTimeStamp')
      }
    })
  })

  it('production roots and issuing CAs are loaded as trust, and every issuing CA has its path', () => {
    const { anchors, intermediates } = new ConfiguredTrust(`${conformanceDir}/kz/production-roots`, testClock()).trust()
    const score = new Scoreboard('kz/production-roots')
    const time = Date.UTC(2023, 0, 1)
    for (const issuing of intermediates) {
      const trust = { anchors, intermediates }
      score.judge(
        issuing.subject.toString(),
        'accept',
        () => buildPath(issuing, { trust, time }).certificates.length > 1,
      )
    }
    score.print()
    expect(anchors.length + intermediates.length).to.equal(11)
    score.expectAllRight(intermediates.length)
  })
})
