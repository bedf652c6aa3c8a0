import { expect } from 'chai'
import { revocationValues, signatureTimeStamp } from '#dev-authorities/cms/attributes.js'
import type { Subject } from '#dev-authorities/index.js'
import { defaultAlgorithmPolicy } from '#verifier/algorithms/policy.js'
import { readCms } from '#verifier/cms/read-cms.js'
import type { SignerVerdict } from '#verifier/verdict.js'
import { type VerifyOptions, verify } from '#verifier/verify.js'
import { verifySignature } from '#verifier/verify-signature.js'
import { Crl } from '#verifier/x509/crl.js'
import { DAY, MINUTE, NOW, testAuthorities, testClock } from '../../support/pki/authorities.js'
import { listing } from '../../support/pki/listing.js'
import { timeStamper, tokenOf, tstInfo } from '../../support/pki/tokens.js'
import { trustOf } from '../../support/pki/trust.js'
import { reasonOf } from '../../support/refusal.js'

const TEXT = Buffer.from('a contract')
const SHA_256 = '2.16.840.1.101.3.4.2.1'

describe('a signature that somebody else is proved to have seen', () => {
  const authorities = testAuthorities({ clock: testClock() })
  const trust = trustOf(authorities)
  const { hierarchy } = authorities
  const signer = authorities.person()
  const tsa = timeStamper(authorities, { notAfter: NOW + 30 * DAY })
  const statusOf = ({ certificate, issuer }: Subject) => authorities.ocsp.status(certificate, issuer)
  /** A signature by a person, with a time stamp and an answer inside. */
  const signedBy = (person: Subject, stamper = tsa) =>
    person.signCms(TEXT, {
      unsignedAttributes: (_, value) => [
        signatureTimeStamp(tokenOf(stamper, tstInfo(value))),
        revocationValues(statusOf(person)),
      ],
    })
  const signed = signedBy(signer)
  const later = { at: NOW + 100 * DAY }
  const judge = (bytes: Uint8Array, existedAt: number | undefined, options: Partial<VerifyOptions> = {}) => {
    const { evidence, ...rest } = options
    const own = { trust, document: TEXT, ...later, ...rest, evidence: { ...evidence, existedAt } }
    const [verdict] = verify(bytes, own).signatures
    if (verdict === undefined) throw new Error('no verdict')
    return verdict
  }
  const said = ({ conclusion, indication, subIndication }: SignerVerdict) =>
    [conclusion, indication, subIndication].filter(Boolean).join(' ')
  const PASSED = 'validAt TOTAL-PASSED'

  it('is good although its time-stamping authority has ended since, and not where that had ended before', () => {
    const verdict = judge(signed, NOW + 29 * DAY)
    expect(said(verdict)).to.equal(PASSED)
    expect(verdict).to.include({ time: NOW })
    expect(verdict.existedAt).to.deep.equal({ time: NOW, by: 'evidenceRecord' })
    expect(verdict.unused).to.deep.equal([])
    for (const existedAt of [undefined, NOW + 31 * DAY, later.at, later.at + DAY, Number.NaN]) {
      const open = judge(signed, existedAt)
      expect(open.indication).to.equal('INDETERMINATE')
      expect(open.unused).to.deep.include({ kind: 'timeStamp', reason: 'authorityEnded', time: NOW })
    }
  })

  it('is judged as of then where no time stamp dates it', () => {
    const bare = signer.signCms(TEXT, { ocsp: true })
    expect(said(judge(bare, NOW + MINUTE))).to.equal(PASSED)
    expect(judge(bare, NOW + MINUTE)).to.include({ time: NOW + MINUTE })
    expect(judge(bare, NOW + MINUTE).missing).to.include('timeStamp')
    expect(said(judge(bare, NOW + DAY))).to.equal('intact INDETERMINATE TRY_LATER')
  })

  describe('under algorithms that ended since', () => {
    const ended = (at: number) => ({ ...defaultAlgorithmPolicy, digestsTrustedUntil: { [SHA_256]: at } })

    it('is good where they were trusted when it was seen, and not where they had ended before', () => {
      const algorithms = ended(NOW + 10 * DAY)
      expect(said(judge(signed, NOW + 9 * DAY, { algorithms }))).to.equal(PASSED)
      for (const existedAt of [undefined, NOW + 10 * DAY, NOW + 11 * DAY])
        expect(said(judge(signed, existedAt, { algorithms }))).to.equal(
          'intact INDETERMINATE CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
        )
    })

    it('is of no use where they were never trusted', () => {
      const never = judge(signed, NOW + DAY, { algorithms: ended(0) })
      expect(never.subIndication).to.equal('CRYPTO_CONSTRAINTS_FAILURE')
    })

    it('stays revoked by a CRL whose algorithm has ended', () => {
      const algorithms = ended(NOW + 10 * DAY)
      const crl = listing(hierarchy.issuing('ecdsa'), signer.certificate, { thisUpdate: NOW + 50 * DAY })
      expect(said(judge(signed, NOW + DAY, { algorithms, evidence: { crls: [crl] } }))).to.equal(
        'intact INDETERMINATE REVOKED_NO_POE',
      )
    })
  })

  describe('and of which more is known today', () => {
    const listed = (crl: Buffer) => ({ trust: { ...trust, crls: [Crl.parse(crl)] } })
    const ofToday = { thisUpdate: NOW + 99 * DAY }

    it('is not good where its certificate, or an authority above, was revoked before the proven time', () => {
      const issuing = hierarchy.issuing('ecdsa')
      for (const [ca, certificate, subIndication] of [
        [issuing, signer.certificate, 'REVOKED_NO_POE'],
        [hierarchy.root, issuing.certificate, 'REVOKED_CA_NO_POE'],
      ] as const) {
        const before = listed(listing(ca, certificate, { ...ofToday, at: NOW - DAY }))
        expect(judge(signed, NOW + DAY, before).subIndication).to.equal(subIndication)
        const after = listed(listing(ca, certificate, { ...ofToday, at: NOW + 2 * DAY, reason: 'superseded' }))
        expect(said(judge(signed, NOW + DAY, after))).to.equal(PASSED)
      }
    })

    it('is not good where a key that tells its status was lost before it was seen, and good where that was later', () => {
      const issuing = hierarchy.issuing('ecdsa')
      const lost = (at: number) =>
        listed(listing(hierarchy.root, issuing.certificate, { ...ofToday, at, reason: 'keyCompromise' }))
      expect(judge(signed, NOW + 2 * DAY, lost(NOW + DAY)).refusal?.details).to.include({ reason: 'keyInDoubt' })
      expect(said(judge(signed, NOW + DAY / 2, lost(NOW + DAY)))).to.equal(PASSED)
    })

    it('has no time of an authority whose key was lost before it was seen, and has it where that was later', () => {
      const lost = (at: number) =>
        listed(listing(hierarchy.issuing('rsa'), tsa.certificate, { ...ofToday, at, reason: 'keyCompromise' }))
      const verdict = judge(signed, NOW + 2 * DAY, lost(NOW + DAY))
      expect(verdict.indication).to.equal('INDETERMINATE')
      expect(verdict.unused).to.deep.include({ kind: 'timeStamp', reason: 'authorityKeyCompromised', time: NOW })
      expect(said(judge(signed, NOW + DAY / 2, lost(NOW + DAY)))).to.equal(PASSED)
    })
  })

  it('is judged as of now by what is younger than what was seen', () => {
    const person = authorities.person()
    const bare = person.signCms(TEXT)
    const timeStamp = authorities.tsa.stamp(readCms(bare).signatureValue)
    const evidence = { timeStamp, ocsp: statusOf(person) }
    expect(said(judge(bare, NOW - DAY / 2, { evidence, at: NOW + DAY }))).to.equal(PASSED)
  })

  it('is no older than its certificate', () => {
    expect(judge(signer.signCms(TEXT, { ocsp: true }), NOW - 400 * DAY).subIndication).to.equal('NOT_YET_VALID')
  })

  it('is proved by its kept evidence alone, too', () => {
    const signature = readCms(signed)
    const algorithms = { ...defaultAlgorithmPolicy, digestsTrustedUntil: { [SHA_256]: NOW + 10 * DAY } }
    const prove = (existedAt: number | undefined) => {
      const { timeStamp, ocsp } = signature
      const kept = { timeStamp: timeStamp?.token ?? Buffer.alloc(0), ocsp, existedAt }
      return verifySignature(signature, kept, { trust, now: later.at, algorithms })
    }
    expect(prove(NOW + 9 * DAY).timeStamp.genTime).to.equal(NOW)
    for (const existedAt of [undefined, NOW + 11 * DAY])
      expect(reasonOf(() => prove(existedAt))).to.equal('algorithmNotTrusted: digest')
  })
})
