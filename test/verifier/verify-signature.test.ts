import { expect } from 'chai'
import { signatureFacts } from '#core/signatures/signature-facts.js'
import { basicOcspResponse, certId } from '#dev-authorities/authority/ocsp.js'
import { CertificationAuthority } from '#dev-authorities/certification-authority.js'
import { DevAuthorities, type Subject } from '#dev-authorities/index.js'
import { generateKey } from '#dev-authorities/keys.js'
import { extendedKeyUsage } from '#dev-authorities/x509/extensions.js'
import { name } from '#dev-authorities/x509/name.js'
import { caProfile } from '#dev-authorities/x509/profiles.js'
import type { Check } from '#verifier/checks.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { verifySignature } from '#verifier/verify-signature.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { DAY, MINUTE, NOW, testAuthorities } from '../support/pki/authorities.js'
import { trustOf } from '../support/pki/trust.js'
import { expectRefusal } from '../support/refusal.js'

const TEXT = Buffer.from('a contract')
/** An answer that the CA signs itself. */
const ocspResponse = (ca: CertificationAuthority, certificate: Buffer) =>
  basicOcspResponse({
    responder: ca,
    answers: [{ certId: certId(certificate, ca.certificate), status: 'good', thisUpdate: NOW }],
    producedAt: NOW,
    nonce: undefined,
    certificates: [],
    hash: 'sha256',
  })
const SHA_1 = '1.3.14.3.2.26'

describe('verifying a signature with its evidence', () => {
  let now = NOW
  const clock = { now: () => now }
  const authorities = testAuthorities({ clock })
  const trust = trustOf(authorities)
  const read = (signer: Subject, data: Buffer = TEXT) => readCms(signer.signCms(data, { timeStamp: true, ocsp: true }))
  const evidenceOf = (signature: ReturnType<typeof readCms>) => ({
    timeStamp: signature.timeStamp?.token ?? Buffer.alloc(0),
    ocsp: signature.ocsp ?? Buffer.alloc(0),
  })
  const verify = (signature: ReturnType<typeof readCms>, changes = {}) =>
    verifySignature(signature, evidenceOf(signature), { trust, now, ...changes })

  beforeEach(() => {
    now = NOW
  })

  for (const algorithm of ['rsa2048', 'p256', 'p384', 'p521', 'gost512'] as const)
    it(`says yes and lists what was looked at, ${algorithm}`, () => {
      const signature = read(authorities.employee({ algorithm }))
      const verdict = verify(signature)
      expect(verdict.checks.map(({ check, outcome }) => `${check} ${outcome}`)).to.deep.equal([
        'signatureValue passed',
        'algorithms passed',
        'signerUsage passed',
        'signingCertificate passed',
        'timeStamp passed',
        'path passed',
        'status passed',
      ])
      expect(verdict.path.certificates).to.have.length(3)
      expect(verdict.timeStamp.genTime).to.equal(NOW)
    })

  it('gives the facts of the specification', () => {
    const signer = authorities.employee({ iin: '123456789011', bin: '123456789021', email: 'a@example.kz' })
    const signature = read(signer)
    const facts = signatureFacts(signature, verify(signature))
    expect(facts.userId).to.equal('IIN123456789011')
    expect(facts.businessId).to.equal('BIN123456789021')
    expect(facts.keyUsages).to.deep.equal(['digitalSignature', 'nonRepudiation'])
    expect(facts.subject).to.match(/CN=ТЕСТОВ ТЕСТ$/)
    expect(facts.subjectStructure[0]?.[0]).to.deep.equal({
      oid: '2.5.4.3',
      name: 'CN',
      valueInB64: false,
      value: 'ТЕСТОВ ТЕСТ',
    })
    expect(facts.subjectAltNameStructure).to.deep.equal([{ type: 'rfc822Name', value: 'a@example.kz' }])
    expect(facts.tsp).to.include({ timeStamp: NOW })
    expect(facts.ocsp).to.include({ certStatus: 'good', thisUpdate: NOW })
    expect(facts.from).to.equal(NOW - DAY)
  })

  it('does not take a system without a personal number for a signer of documents', () => {
    const signature = read(authorities.system())
    const verdict = verify(signature)
    expectRefusal('badSignerCertificate', 'userIdMissing', () => signatureFacts(signature, verdict))
  })

  it('tells in a refusal what was looked at before it', () => {
    const signature = read(authorities.person())
    const other = read(authorities.person())
    const refusal = expectRefusal('invalidTspTimeStamp', 'imprint', () =>
      verifySignature(signature, { ...evidenceOf(signature), timeStamp: evidenceOf(other).timeStamp }, { trust, now }),
    )
    const checks = (refusal.details?.checks ?? []) as readonly Check[]
    expect(checks.map(({ check, outcome, reason }) => `${check} ${outcome} ${reason ?? ''}`.trim())).to.deep.equal([
      'signatureValue passed',
      'algorithms passed',
      'signerUsage passed',
      'signingCertificate passed',
      'timeStamp failed imprint',
    ])
  })

  it('still says yes years later, when every certificate has expired', () => {
    const signature = read(authorities.person())
    now = NOW + 20 * 365 * DAY
    verify(signature)
  })

  it('still says yes when the certificate is revoked after the stamped time', () => {
    const signer = authorities.person()
    const signature = read(signer)
    now = NOW + MINUTE
    authorities.revoke(signer)
    verify(signature)
  })

  it('refuses a certificate that was revoked before', () => {
    const signer = authorities.person()
    authorities.revoke(signer, NOW - MINUTE)
    expectRefusal('invalidCertificateStatus', 'revoked', () => verify(read(signer)))
  })

  it('refuses evidence more than five minutes apart', () => {
    const signer = authorities.person()
    const signature = read(signer)
    now = NOW + 5 * MINUTE + 1000
    const late = read(signer)
    expectRefusal('evidenceTimesDiffer', 'gap', () =>
      verifySignature(signature, { ...evidenceOf(signature), ocsp: evidenceOf(late).ocsp }, { trust, now }),
    )
  })

  it('refuses an OCSP answer about another certificate', () => {
    const signature = read(authorities.person())
    const other = read(authorities.person())
    expectRefusal('invalidOcspData', 'otherCertificate', () =>
      verifySignature(signature, { ...evidenceOf(signature), ocsp: evidenceOf(other).ocsp }, { trust, now }),
    )
  })

  it('refuses a signer of unknown authorities', () => {
    const strangers = DevAuthorities.create({ clock })
    const signature = read(strangers.person())
    expectRefusal('invalidTspTimeStamp', 'signatureMismatch', () => verify(signature))
    const ours = authorities.tsa.stamp(Buffer.from(signature.signatureValue))
    expectRefusal('certificateIssuerUnknown', 'signatureMismatch', () =>
      verifySignature(signature, { ...evidenceOf(signature), timeStamp: ours }, { trust, now }),
    )
  })

  describe('refuses a certificate that is not meant for documents:', () => {
    const refuse = (title: string, reason: string, options: Parameters<typeof authorities.person>[0]) =>
      it(title, () => {
        const signature = read(authorities.person(options))
        const refusal = expectRefusal('badSignerCertificate', reason, () => verify(signature))
        expect(refusal.details?.certificate).to.have.keys('subject', 'serialNumber')
      })
    refuse('one for authentication', 'keyUsage', { use: 'authentication' })
    refuse('one without nonRepudiation', 'keyUsage', { keyUsages: ['digitalSignature'] })
    refuse('one without key usages', 'keyUsage', {
      extensions: (honest) => honest.filter(({ oid }) => oid !== '2.5.29.15'),
    })
    refuse('one of a server', 'extKeyUsage', { purposes: ['1.3.6.1.5.5.7.3.1'] })
    refuse('one of a time-stamping authority', 'extKeyUsage', { purposes: ['1.3.6.1.5.5.7.3.8'] })
  })

  it('refuses a signer whose CA is limited to other purposes, as it is for a time-stamping authority', () => {
    const under = (purposes: readonly string[]) => {
      const key = generateKey('p256')
      const extensions = [...caProfile(key.spki), ...(purposes.length === 0 ? [] : [extendedKeyUsage(purposes)])]
      const parts = { subject: name(['CN', 'LIMITED CA']), spki: key.spki, notBefore: NOW - DAY, notAfter: NOW + DAY }
      const ca = new CertificationAuthority({
        key,
        certificate: authorities.hierarchy.root.issue({ ...parts, extensions }),
      })
      const signer = authorities.person({ issuer: ca })
      const signature = readCms(signer.signCms(TEXT, { timeStamp: true }))
      const limited = { ...trust, intermediates: [...trust.intermediates, Certificate.parse(ca.certificate)] }
      const answer = ocspResponse(ca, signer.certificate)
      return { signature, evidence: { ...evidenceOf(signature), ocsp: answer }, context: { trust: limited, now } }
    }
    const judge = (purposes: readonly string[]) => {
      const { signature, evidence, context } = under(purposes)
      return verifySignature(signature, evidence, context)
    }
    for (const purposes of [[], ['1.3.6.1.5.5.7.3.4'], ['2.5.29.37.0']])
      expect(judge(purposes).path.certificates).to.have.length(3)
    for (const purposes of [['1.3.6.1.5.5.7.3.8'], ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.9']])
      expectRefusal('certificatePathNotBuilt', 'extendedKeyUsage', () => judge(purposes))
  })

  describe('refuses by its own name an algorithm that is not trusted:', () => {
    it('an RSA key under 2048 bits', () => {
      const signature = read(authorities.person({ algorithm: 'rsa1024' }))
      expectRefusal('algorithmNotTrusted', 'keySize', () => verify(signature))
    })
    it('SHA-1', () => {
      const signer = authorities.person({ algorithm: 'rsa2048' })
      const signature = readCms(signer.signCms(TEXT, { hash: 'sha1', timeStamp: true, ocsp: true }))
      const refusal = expectRefusal('algorithmNotTrusted', 'digest', () => verify(signature))
      expect(refusal.details).to.include({ algorithm: 'SHA-1', oid: SHA_1 })
    })
    it('one that has fallen since', () => {
      const signature = read(authorities.person())
      const fallen = { minRsaBits: 2048, minDsaBits: 4096, digestsTrustedUntil: { '2.16.840.1.101.3.4.2.1': NOW } }
      expectRefusal('algorithmNotTrusted', 'digest', () => verify(signature, { algorithms: fallen }))
    })
  })
})
