import { generateKeyPairSync } from 'node:crypto'
import { expect } from 'chai'
import { messageImprint } from '#dev-authorities/authority/time-stamping.js'
import { CertificationAuthority } from '#dev-authorities/certification-authority.js'
import { signingCertificateV2 } from '#dev-authorities/cms/attributes.js'
import {
  boolean,
  element,
  explicit,
  implicit,
  integer,
  octetString,
  oid,
  sequence,
} from '#dev-authorities/der/writer.js'
import { digest } from '#dev-authorities/hashes.js'
import { encodeExtension, extendedKeyUsage, keyUsage } from '#dev-authorities/x509/extensions.js'
import { name } from '#dev-authorities/x509/name.js'
import { digest as digestOf } from '#verifier/algorithms/digest.js'
import { defaultAlgorithmPolicy } from '#verifier/algorithms/policy.js'
import { verifyTimeStamp } from '#verifier/timestamp/verify-time-stamp.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { Crl } from '#verifier/x509/crl.js'
import { DAY, MINUTE, NOW, testAuthorities } from '../../support/pki/authorities.js'
import { reasonCode } from '../../support/pki/extensions.js'
import { issue, issueAuthority, issueCrl } from '../../support/pki/hierarchy.js'
import { honestTsaExtensions, timeStamper, tokenOf, tstInfo } from '../../support/pki/tokens.js'
import { trustOf } from '../../support/pki/trust.js'
import { reasonOf, refusalOf } from '../../support/refusal.js'

const DATA = Buffer.from('a signature value')
const SHA_256 = '2.16.840.1.101.3.4.2.1'
const SHA_1 = '1.3.14.3.2.26'
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'
const CODE_SIGNING = '1.3.6.1.5.5.7.3.3'
const SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.12'
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
const CONTENT_TYPE = '1.2.840.113549.1.9.3'

describe('time stamp', () => {
  const authorities = testAuthorities()
  const context = { trust: trustOf(authorities), now: NOW }
  const tsa = timeStamper(authorities)
  const verify = (token: Uint8Array, changes = {}) => verifyTimeStamp(token, DATA, { ...context, ...changes })
  const stamped = (info = {}, token = {}) => tokenOf(tsa, tstInfo(DATA, info), token)
  const reason = (token: Uint8Array, changes = {}) => reasonOf(() => verify(token, changes))
  const refused = (why: string) => `invalidTspTimeStamp: ${why}`

  it('is accepted from a time-stamping authority with a path to a trust anchor', () => {
    const token = authorities.tsa.stamp(DATA)
    const stamp = verify(token)
    expect(stamp.genTime).to.equal(NOW)
    expect(stamp.signer.subject.toString()).to.contain('DEVELOPMENT TSA')
    expect(stamp.token).to.equal(token)
    expect(stamp.path.certificates).to.have.length(3)
    expect(stamp.policy).to.match(/^1\.2\.398\./)
  })

  it('may be given in fractions of a second, with an accuracy, a policy, an order and its authority named', () => {
    const micros = sequence(integer(1), implicit(0, integer(500)), implicit(1, integer(250)))
    const tsaName = explicit(0, explicit(4, name(['CN', 'TSA'], ['C', 'KZ'])))
    const genTime = element(0x18, Buffer.from('20260601115959.123456Z'))
    const { info, ...stamp } = verify(stamped({ genTime, accuracy: micros, ordering: boolean(true), tsa: tsaName }))
    expect(stamp.genTime).to.equal(NOW - 877)
    expect(info).to.include({ accuracy: 1500.25, ordering: true, serialNumber: '1267' })
  })

  it('may have an imprint by a GOST digest', () => {
    for (const oidOfDigest of ['1.2.398.3.10.1.3.3', '1.2.398.3.10.1.3.2', '1.2.398.3.10.1.3.1']) {
      const imprint = sequence(sequence(oid(oidOfDigest)), octetString(digestOf(oidOfDigest, DATA)))
      expect(verify(stamped({ imprint })).info.imprint.digestOid).to.equal(oidOfDigest)
      const other = sequence(sequence(oid(oidOfDigest)), octetString(digestOf(oidOfDigest, Buffer.from('other'))))
      expect(reason(stamped({ imprint: other }))).to.equal(refused('imprint'))
    }
  })

  it('may name its certificate by SHA-1 (ESSCertID) or by another digest (ESSCertIDv2)', () => {
    const v1 = {
      oid: SIGNING_CERTIFICATE,
      values: [sequence(sequence(sequence(octetString(digest('sha1', tsa.certificate)))))],
    }
    expect(verify(stamped({}, { attributes: (all: object[]) => [...all.slice(0, 3), v1] })).genTime).to.equal(NOW)
    expect(verify(stamped({}, { attributes: (all: object[]) => [...all, v1] })).genTime).to.equal(NOW)
  })

  describe('refuses', () => {
    it('an imprint of other data (token moved from another signature)', () => {
      expect(reasonOf(() => verifyTimeStamp(authorities.tsa.stamp(DATA), Buffer.from('other'), context))).to.equal(
        refused('imprint'),
      )
    })

    it('an imprint by SHA-1', () => {
      const { code, details } = refusalOf(() => verify(stamped({ imprint: messageImprint(DATA, 'sha1') })))
      expect(code).to.equal('algorithmNotTrusted')
      expect(details).to.include({ oid: SHA_1, evidence: 'timeStamp' })
    })

    it('an imprint by an unknown digest, and one whose digest has parameters', () => {
      const unknown = sequence(sequence(oid('1.2.3.4')), octetString(Buffer.alloc(32)))
      expect(reason(stamped({ imprint: unknown }))).to.equal(refused('unknown'))
      const algorithm = sequence(oid('2.16.840.1.101.3.4.2.1'), octetString(Buffer.alloc(1)))
      const junk = sequence(algorithm, octetString(digest('sha256', DATA)))
      expect(reason(stamped({ imprint: junk }))).to.equal(refused('malformed'))
    })

    const usages = {
      usageMissing: [],
      usageNotCritical: [extendedKeyUsage([TIME_STAMPING])],
      usageNotExclusive: [extendedKeyUsage([TIME_STAMPING, CODE_SIGNING], true)],
      keyUsage: [keyUsage(['keyEncipherment']), extendedKeyUsage([TIME_STAMPING], true)],
    }
    for (const [why, extensions] of Object.entries(usages)) {
      it(`an authority whose certificate has the fault ${why}`, () => {
        const other = timeStamper(authorities, { extensions })
        expect(reason(tokenOf(other, tstInfo(DATA)))).to.equal(refused(why))
      })
    }

    it('an authority for another purpose', () => {
      const other = timeStamper(authorities, { extensions: [extendedKeyUsage([CODE_SIGNING], true)] })
      expect(reason(tokenOf(other, tstInfo(DATA)))).to.equal(refused('usageNotExclusive'))
    })

    it('an ordinary person of the same CA', () => {
      const person = authorities.person()
      expect(reason(tokenOf(person, tstInfo(DATA)))).to.equal(refused('usageNotCritical'))
    })

    it('an authority that no trust anchor vouches for, even with its root in the token', () => {
      const trust = trustOf(authorities)
      const { details } = refusalOf(() => verify(stamped(), { trust: { ...trust, anchors: [], intermediates: [] } }))
      expect(details).to.include({ because: 'certificateIssuerUnknown' })
      const certificates = [tsa.certificate, ...authorities.intermediates, ...authorities.anchors]
      const carried = refusalOf(() =>
        verify(stamped({}, { certificates }), { trust: { anchors: [], intermediates: [] } }),
      )
      expect(carried.code).to.equal('invalidTspTimeStamp')
    })

    it('an authority whose certificate was not valid at genTime, though it is now', () => {
      const late = timeStamper(authorities, { notBefore: NOW - MINUTE })
      const genTime = element(0x18, Buffer.from('20260531120000Z'))
      expect(reason(tokenOf(late, tstInfo(DATA, { genTime })))).to.equal(refused('notYetValid'))
    })

    it('a genTime in the future beyond a minute', () => {
      const token = stamped()
      expect(verify(token, { now: NOW - MINUTE }).genTime).to.equal(NOW)
      expect(reason(token, { now: NOW - MINUTE - 1 })).to.equal(refused('genTimeInFuture'))
    })

    it('another nonce, none, another policy and another digest than were asked for', () => {
      const nonce = Buffer.from('41aabbccddeeff00', 'hex')
      const request = { nonce, digestOid: '2.16.840.1.101.3.4.2.1', policy: '1.2.398.3.3.2.6.4' }
      const answer = stamped({ nonce: integer(nonce) })
      expect(verify(answer, { request }).policy).to.equal('1.2.398.3.3.2.6.4')
      expect(reason(stamped(), { request })).to.equal(refused('nonceMissing'))
      expect(reason(stamped({ nonce: integer(1) }), { request })).to.equal(refused('nonceDiffers'))
      expect(reason(answer, { request: { ...request, policy: '1.2.3' } })).to.equal(refused('policy'))
      expect(reason(answer, { request: { ...request, digestOid: SHA_1 } })).to.equal(refused('imprintAlgorithm'))
    })

    it('a signing certificate attribute that is missing, doubled or names another certificate', () => {
      const other = timeStamper(authorities)
      const kept = (all: readonly object[]) => all.slice(0, 3)
      const token = (more: object[]) => stamped({}, { attributes: (all: object[]) => [...kept(all), ...more] })
      const own = signingCertificateV2(tsa.certificate)
      expect(reason(token([]))).to.equal(refused('signingCertificateMissing'))
      expect(reason(token([own, own]))).to.equal(refused('signedAttributeDoubled'))
      expect(reason(token([signingCertificateV2(other.certificate)]))).to.equal(refused('signingCertificate'))
    })

    it('the certificate of the same key that the attribute does not name', () => {
      const twin = timeStamper(authorities, { key: tsa.key })
      expect(reason(stamped({}, { certificates: [twin.certificate] }))).to.equal(refused('certificateMissing'))
    })

    it('a token without its certificate, unless that came along', () => {
      const token = stamped({}, { certificates: [] })
      expect(reason(token)).to.equal(refused('certificateMissing'))
      const candidates = [verify(stamped()).signer]
      expect(verify(token, { candidates }).genTime).to.equal(NOW)
    })

    it('no signer and two signers', () => {
      expect(reason(stamped({}, { signers: 0 }))).to.equal(refused('notExactlyOneSigner'))
      expect(reason(stamped({}, { signers: 2 }))).to.equal(refused('notExactlyOneSigner'))
    })

    it('another content type, in the token or in its attribute', () => {
      const data = '1.2.840.113549.1.7.1'
      expect(reason(stamped({}, { contentType: data }))).to.equal(refused('contentType'))
      const wrong = { oid: CONTENT_TYPE, values: [oid(data)] }
      const attributes = (all: object[]) => [wrong, ...all.slice(1)]
      expect(reason(stamped({}, { attributes }))).to.equal(refused('contentType'))
    })

    it('signed attributes that are absent, or lack the digest', () => {
      expect(reason(stamped({}, { attributes: () => [] }))).to.equal(refused('signedAttributesMissing'))
      const attributes = (all: { oid: string }[]) => all.filter(({ oid }) => oid !== MESSAGE_DIGEST)
      expect(reason(stamped({}, { attributes }))).to.equal(refused('messageDigest'))
    })

    it('a TSTInfo other than the one signed', () => {
      const content = tstInfo(DATA, { serialNumber: integer(1) })
      expect(reason(stamped({}, { content }))).to.equal(refused('messageDigest'))
    })

    it('a signature value that is wrong', () => {
      const token = stamped()
      token[token.length - 1] = (token[token.length - 1] as number) ^ 1
      expect(reason(token)).to.equal(refused('signatureValue'))
    })

    it('a token signed with SHA-1, and one whose algorithm has fallen since', () => {
      const sha1 = refusalOf(() => verify(stamped({}, { hash: 'sha1' })))
      expect(sha1.details).to.include({ reason: 'digest', oid: SHA_1, evidence: 'timeStamp' })
      const digestsTrustedUntil = { '2.16.840.1.101.3.4.2.1': NOW + DAY }
      const algorithms = { ...defaultAlgorithmPolicy, digestsTrustedUntil }
      const token = stamped()
      expect(verify(token, { algorithms }).genTime).to.equal(NOW)
      expect(refusalOf(() => verify(token, { algorithms, now: NOW + DAY })).code).to.equal('algorithmNotTrusted')
    })

    it('an authority named that is not the signer', () => {
      const tsaName = explicit(0, explicit(4, name(['CN', 'ANOTHER'], ['C', 'KZ'])))
      expect(reason(stamped({ tsa: tsaName }))).to.equal(refused('authorityName'))
    })

    it('an unknown critical extension of the TSTInfo; others are kept in peace', () => {
      const extension = (critical: boolean) =>
        implicit(1, sequence(encodeExtension({ oid: '1.2.3.4', critical, value: Buffer.from([5, 0]) })))
      expect(verify(stamped({ extensions: extension(false) })).genTime).to.equal(NOW)
      expect(reason(stamped({ extensions: extension(true) }))).to.equal(refused('unknownCriticalExtension'))
    })

    const malformed = {
      'another version': { version: integer(2) },
      'a genTime without seconds': { genTime: element(0x18, Buffer.from('202606011200Z')) },
      'a genTime with a trailing zero in its fraction': { genTime: element(0x18, Buffer.from('20260601120000.10Z')) },
      'a genTime of another zone': { genTime: element(0x18, Buffer.from('20260601120000+0000')) },
      'a genTime that is a UTCTime': { genTime: element(0x17, Buffer.from('260601120000Z')) },
      'an accuracy of no or too many milliseconds': { accuracy: sequence(implicit(0, integer(1000))) },
      'an ordering that is a coded default': { ordering: boolean(false) },
      'trailing fields': { more: octetString(DATA) },
    }
    for (const [what, info] of Object.entries(malformed)) {
      it(`a TSTInfo with ${what}`, () => expect(reason(stamped(info))).to.equal(refused('malformed')))
    }

    it('trailing bytes, a second token behind the first, truncation and rubbish', () => {
      const token = stamped()
      expect(reason(Buffer.concat([token, Buffer.of(0)]))).to.equal(refused('malformed'))
      expect(reason(Buffer.concat([token, token]))).to.equal(refused('malformed'))
      expect(reason(token.subarray(0, token.length - 1))).to.equal(refused('malformed'))
      expect(reason(Buffer.alloc(0))).to.equal(refused('malformed'))
      expect(reason(Buffer.from('not a token'))).to.equal(refused('malformed'))
      expect(reason(Buffer.alloc(300_000))).to.equal(refused('tooLarge'))
    })
  })

  describe('of an authority that was revoked', () => {
    const revokedFor = (reason: 'keyCompromise' | 'superseded' | 'unspecified', at: number) => {
      const revoked = timeStamper(authorities)
      const issuer = authorities.hierarchy.issuing('rsa')
      issuer.revoke(revoked.certificate, at, reason)
      const trust = { ...context.trust, crls: [Crl.parse(issuer.crl(NOW + 2 * MINUTE))] }
      return { token: tokenOf(revoked, tstInfo(DATA)), trust }
    }

    it('is refused when that was before the stamp', () => {
      const { token, trust } = revokedFor('superseded', NOW - MINUTE)
      expect(refusalOf(() => verify(token, { trust, now: NOW + DAY })).details).to.include({ reason: 'revoked' })
    })

    it('stays good when that was later and the key remained in safe hands', () => {
      const { token, trust } = revokedFor('superseded', NOW + MINUTE)
      expect(verify(token, { trust, now: NOW + DAY }).genTime).to.equal(NOW)
    })

    it('is refused when the key may be in other hands, which can date stamps back', () => {
      for (const why of ['keyCompromise', 'unspecified'] as const) {
        const { token, trust } = revokedFor(why, NOW + MINUTE)
        expect(reason(token, { trust, now: NOW + DAY })).to.equal(refused('authorityKeyCompromised'))
      }
    })

    it('counts in spite of a key that was lost later than somebody else saw it, and not of one lost before', () => {
      for (const why of ['keyCompromise', 'unspecified'] as const) {
        const { token, trust } = revokedFor(why, NOW + MINUTE)
        const seen = (existedAt: number) => ({ trust, now: NOW + DAY, existedAt })
        expect(verify(token, seen(NOW + MINUTE / 2)).genTime).to.equal(NOW)
        expect(reason(token, seen(NOW + MINUTE))).to.equal(refused('authorityKeyCompromised'))
        expect(reason(token, seen(NOW + 2 * MINUTE))).to.equal(refused('authorityKeyCompromised'))
      }
      const { token, trust } = revokedFor('superseded', NOW - MINUTE)
      expect(refusalOf(() => verify(token, { trust, now: NOW + DAY, existedAt: NOW })).details).to.include({
        reason: 'revoked',
      })
    })

    it('counts by the algorithms of when somebody else saw it, and what tells of a lost key although its own have ended', () => {
      const { token, trust } = revokedFor('keyCompromise', NOW + MINUTE)
      const ended = (at: number) => ({ ...defaultAlgorithmPolicy, digestsTrustedUntil: { [SHA_256]: at } })
      const seen = (existedAt: number) => ({ trust, now: NOW + DAY, existedAt, algorithms: ended(NOW + 2 * MINUTE) })
      expect(verify(token, seen(NOW + MINUTE / 2)).trustedUntil).to.equal(NOW + 2 * MINUTE)
      expect(reason(token, seen(NOW + 1.5 * MINUTE))).to.equal(refused('authorityKeyCompromised'))
      const { code, details } = refusalOf(() => verify(token, seen(NOW + 2 * MINUTE)))
      expect([code, details?.reason]).to.deep.equal(['algorithmNotTrusted', 'digest'])
    })

    it('counts by what the policy trusted then, also where the default policy never would', () => {
      const short = { ...defaultAlgorithmPolicy, minRsaBits: 4096 }
      const token = tokenOf(timeStamper(authorities), tstInfo(DATA))
      const seen = { now: NOW + DAY, existedAt: NOW + MINUTE }
      expect(verify(token, { ...seen, algorithms: { ...short, minRsaBits: 1024 } }).genTime).to.equal(NOW)
      expect(refusalOf(() => verify(token, { ...seen, algorithms: short })).code).to.match(/^(algorithmNot|invalidTsp)/)
    })

    it('is refused when another key of the issuer, for CRLs alone, says so, and nobody under another anchor', () => {
      const tsa = timeStamper(authorities)
      const issuing = Certificate.parse(authorities.hierarchy.issuing('rsa').certificate)
      const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const subject = Buffer.from(issuing.subject.der)
      const spki = publicKey.export({ format: 'der', type: 'spki' })
      const listed = (certificate: Certificate) => {
        const { serialBytes: serial } = Certificate.parse(tsa.certificate)
        const revoked = [{ serial, at: NOW + MINUTE, extensions: [reasonCode(1)] }]
        const crl = issueCrl({ certificate, key }, { revoked, thisUpdate: NOW + 2 * MINUTE })
        const intermediates = [...context.trust.intermediates, certificate]
        return { ...context.trust, intermediates, crls: [crl] }
      }
      const token = tokenOf(tsa, tstInfo(DATA))
      const extensions = [keyUsage(['cRLSign'])]
      const certified = { subject, spki, extensions, notBefore: NOW - DAY, notAfter: NOW + DAY }
      const trust = listed(Certificate.parse(authorities.hierarchy.root.issue(certified)))
      expect(reason(token, { trust, now: NOW + DAY })).to.equal(refused('authorityKeyCompromised'))
      const stranger = issueAuthority(undefined, { subject: Buffer.from(issuing.issuer.der) })
      const strange = listed(issue(stranger, { subject, key }).certificate)
      expect(verify(token, { trust: strange, now: NOW + DAY }).genTime).to.equal(NOW)
    })
  })

  describe('under an authority that was revoked', () => {
    const root = authorities.hierarchy.root
    const issuing = authorities.hierarchy.issuing('rsa')
    /** By a CRL of the root, which revokes nobody else. */
    const revoked = (reason: 'keyCompromise' | 'cACompromise' | 'cessationOfOperation', at = NOW + MINUTE) => {
      const shortLived = new CertificationAuthority(root)
      shortLived.revoke(issuing.certificate, at, reason)
      return { ...context.trust, crls: [Crl.parse(shortLived.crl(NOW + 2 * MINUTE))] }
    }

    it('is refused when the key of any authority above may be in other hands (RFC 3161 section 4)', () => {
      for (const why of ['keyCompromise', 'cACompromise'] as const) {
        const found = refusalOf(() => verify(stamped(), { trust: revoked(why), now: NOW + DAY }))
        expect(found.details).to.include({ reason: 'authorityKeyCompromised', revocationReason: why })
        expect(found.details?.authority).to.contain('ISSUING CA')
      }
    })

    it('stays good when the authority above only ceased to work', () => {
      const trust = revoked('cessationOfOperation')
      expect(verify(stamped(), { trust, now: NOW + DAY }).genTime).to.equal(NOW)
    })
  })

  it('may say that its time is off by a minute, and by no more unless the policy allows it', () => {
    const off = (accuracy: number) => authorities.tsa.stamp(DATA, () => ({ accuracy }))
    expect(verify(off(60)).info.accuracy).to.equal(MINUTE)
    expect(reason(off(61))).to.equal(refused('accuracy'))
    expect(reason(off(10 * 365 * 24 * 3600))).to.equal(refused('accuracy'))
    expect(verify(off(61), { maxInaccuracy: 2 * MINUTE }).genTime).to.equal(NOW)
    expect(reason(off(1), { maxInaccuracy: 0 })).to.equal(refused('accuracy'))
  })

  it('stays good after its authority has expired', () => {
    const brief = timeStamper(authorities, { notAfter: NOW + DAY, extensions: honestTsaExtensions })
    expect(verify(tokenOf(brief, tstInfo(DATA)), { now: NOW + 10 * 365 * DAY }).genTime).to.equal(NOW)
  })
})
