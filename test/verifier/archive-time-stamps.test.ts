import { expect } from 'chai'
import { revocationValues, signatureTimeStamp } from '#dev-authorities/cms/attributes.js'
import { generalizedTime } from '#dev-authorities/der/writer.js'
import { digest } from '#verifier/algorithms/digest.js'
import { defaultAlgorithmPolicy } from '#verifier/algorithms/policy.js'
import type { SignerVerdict } from '#verifier/verdict.js'
import { type VerifyOptions, verify } from '#verifier/verify.js'
import { Crl } from '#verifier/x509/crl.js'
import {
  ARCHIVE_V3,
  archivedV2,
  archivedV3,
  HASH_INDEX,
  type IndexChanges,
  typeOf,
  withUnsigned,
  withUnsignedAs,
} from '../support/pki/archives.js'
import { DAY, NOW, testAuthorities, testClock } from '../support/pki/authorities.js'
import { listing } from '../support/pki/listing.js'
import { timeStamper, tokenOf, tstInfo } from '../support/pki/tokens.js'
import { trustOf } from '../support/pki/trust.js'

const TEXT = Buffer.from('a contract')
const SHA_256 = '2.16.840.1.101.3.4.2.1'
const SIGNATURE_TIME_STAMP = '1.2.840.113549.1.9.16.2.14'

describe('archive time stamps', () => {
  const authorities = testAuthorities({ clock: testClock() })
  const trust = trustOf(authorities)
  const signer = authorities.person()
  const status = authorities.ocsp.status(signer.certificate, signer.issuer)
  const endsAt = (days: number) => timeStamper(authorities, { notAfter: NOW + days * DAY })
  const [first, second, third] = [endsAt(30), endsAt(60), endsAt(300)]
  const bare = signer.signCms(TEXT, {
    unsignedAttributes: (_, value) => [signatureTimeStamp(tokenOf(first, tstInfo(value))), revocationValues(status)],
  })
  const at = (days: number, by = third) => ({ by, at: NOW + days * DAY, content: TEXT })
  const judge = (bytes: Uint8Array, options: Partial<VerifyOptions> = {}): SignerVerdict => {
    const [verdict] = verify(bytes, { trust, document: TEXT, at: NOW + 100 * DAY, ...options }).signatures
    if (verdict === undefined) throw new Error('no verdict')
    return verdict
  }
  const said = ({ conclusion, subIndication }: SignerVerdict) => [conclusion, subIndication].filter(Boolean).join(' ')
  const unusedOf = ({ unused }: SignerVerdict) => unused.map(({ kind, reason }) => `${kind} ${reason}`)
  const OPEN = 'intact OUT_OF_BOUNDS_NO_POE'
  const forms = {
    v3: archivedV3,
    'v3 with the older index': (cms: Uint8Array, archiving: Parameters<typeof archivedV3>[1]) =>
      archivedV3(cms, archiving, { form: HASH_INDEX }),
    v2: archivedV2,
    'v2 without the header of attributes': (cms: Uint8Array, archiving: Parameters<typeof archivedV2>[1]) =>
      archivedV2(cms, archiving, false),
  }

  it('are needed once the time-stamping authority of a signature and its signer have ended', () => {
    expect(said(judge(bare, { at: NOW + 400 * DAY }))).to.equal(OPEN)
    expect(judge(bare).unused).to.deep.include({ kind: 'timeStamp', reason: 'authorityEnded', time: NOW })
  })

  for (const [form, archived] of Object.entries(forms))
    describe(`of CAdES, ${form},`, () => {
      const one = archived(bare, at(20))

      it('prove that a signature and its evidence are older than the end of an authority', () => {
        const verdict = judge(one)
        expect(said(verdict)).to.equal('validAt')
        expect(verdict).to.include({ time: NOW })
        expect(verdict.existedAt).to.deep.equal({ time: NOW, by: 'archiveTimeStamp' })
        expect(verdict.unused).to.deep.equal([])
      })

      it('hold one another, the newest being good', () => {
        const chain = archived(archived(bare, at(20, second)), at(50))
        expect(said(judge(chain))).to.equal('validAt')
        const late = archived(archived(bare, at(20, second)), at(70))
        expect(judge(late).indication).to.equal('INDETERMINATE')
        expect(unusedOf(judge(late))).to.include('archiveTimeStamp authorityEnded')
        expect(judge(chain, { at: NOW + 301 * DAY }).indication).to.equal('INDETERMINATE')
        expect(said(judge(chain, { at: NOW + 301 * DAY, evidence: { existedAt: NOW + 299 * DAY } }))).to.equal(
          'validAt',
        )
      })

      it('prove nothing where they are too late, over another content or another signature', () => {
        expect(judge(archived(bare, at(31))).indication).to.equal('INDETERMINATE')
        const other = archived(bare, { ...at(20), content: Buffer.from('another') })
        expect(judge(other).indication).to.equal('INDETERMINATE')
        expect(unusedOf(judge(other))).to.include.members(['archiveTimeStamp imprint', 'timeStamp authorityEnded'])
        const again = signer.signCms(Buffer.from('another'))
        const archive = unsignedOf(one).at(-1) ?? Buffer.alloc(0)
        const moved = judge(
          withUnsignedAs(again, (honest) => [...honest, archive]),
          { document: Buffer.from('another') },
        )
        expect(unusedOf(moved).filter((reason) => reason.startsWith('archive'))).to.have.length(1)
      })

      it('prove nothing of a time stamp that was put in the place of another', () => {
        const younger = (value: Uint8Array) => tokenOf(first, tstInfo(value, { genTime: generalizedTime(NOW + DAY) }))
        const value = judge(bare).signature?.signatureValue ?? new Uint8Array()
        const replaced = withUnsignedAs(one, (honest) => [
          ...honest.filter((attribute) => !typeOf(attribute, SIGNATURE_TIME_STAMP) || typeOf(attribute, ARCHIVE_V3)),
          ...unsignedOf(withUnsigned(bare, signatureTimeStamp(younger(value)))).slice(-1),
        ])
        expect(judge(replaced).indication).to.equal('INDETERMINATE')
        expect(judge(replaced).unused.map(({ kind }) => kind)).to.include('archiveTimeStamp')
      })

      it('are of the algorithms of their time', () => {
        const algorithms = { ...defaultAlgorithmPolicy, digestsTrustedUntil: { [SHA_256]: NOW + 90 * DAY } }
        expect(judge(one, { algorithms }).subIndication).to.equal('CRYPTO_CONSTRAINTS_FAILURE_NO_POE')
        const existedAt = NOW + 80 * DAY
        expect(said(judge(one, { algorithms, evidence: { existedAt } }))).to.equal('validAt')
      })

      it('prove nothing once the key of their authority was lost', () => {
        const lost = listing(authorities.hierarchy.issuing('rsa'), third.certificate, {
          ...{ at: NOW + 50 * DAY, thisUpdate: NOW + 51 * DAY, reason: 'keyCompromise' },
        })
        const verdict = judge(one, { trust: { ...trust, crls: [Crl.parse(lost)] } })
        expect(verdict.indication).to.equal('INDETERMINATE')
        expect(unusedOf(verdict)).to.include('archiveTimeStamp authorityKeyCompromised')
      })

      it('do not make a certificate good that was revoked before', () => {
        const revoked = listing(authorities.hierarchy.issuing('ecdsa'), signer.certificate, {
          thisUpdate: NOW + 90 * DAY,
        })
        expect(said(judge(one, { evidence: { crls: [revoked] } }))).to.equal('intact REVOKED_NO_POE')
      })

      it('take nothing away when they are junk, and are bounded', () => {
        const junk = archived(bare, { ...at(20), content: Buffer.from('another') })
        const ok = judge(junk, { at: NOW + 25 * DAY })
        expect(said(ok)).to.equal('validAt')
        expect(unusedOf(ok)).to.deep.equal(['archiveTimeStamp imprint'])
        const [other = Buffer.alloc(0)] = unsignedOf(junk).slice(-1)
        const among = (count: number, good: Uint8Array) =>
          withUnsignedAs(good, (honest) => [...honest, ...Array.from({ length: count }, () => other)])
        expect(said(judge(among(20, archivedV3(bare, at(19)))))).to.equal('validAt')
        const chained = archived(bare, at(20))
        expect(unusedOf(judge(many(chained, 17)))).to.include('archiveTimeStamp tooMany')
      })
    })

  describe('of CAdES, v3,', () => {
    const indexed = (changes: IndexChanges) => judge(archivedV3(bare, at(20), changes))

    it('prove nothing of what their index lacks', () => {
      const without = indexed({ attributes: (honest) => honest.slice(1) })
      expect(without.indication).to.equal('INDETERMINATE')
      expect(said(indexed({ certificates: () => [] }))).to.equal('validAt')
      expect(indexed({ attributes: () => [] }).indication).to.equal('INDETERMINATE')
    })

    it('are refused where their index has what the signature has not, or twice, or is there twice or not at all', () => {
      const more = (honest: readonly Buffer[]) => [...honest, Buffer.alloc(32, 1)]
      for (const change of ['certificates', 'crls', 'attributes'] as const)
        expect(unusedOf(indexed({ [change]: more }))).to.include('archiveTimeStamp hashIndex')
      const twice = indexed({ attributes: (honest) => [...honest, ...honest] })
      expect(unusedOf(twice)).to.include('archiveTimeStamp hashIndex')
      expect(unusedOf(indexed({ times: 2 }))).to.include('archiveTimeStamp hashIndexDoubled')
      const absent = withUnsigned(bare, { oid: ARCHIVE_V3, values: [tokenOf(third, tstInfo(TEXT))] })
      expect(unusedOf(judge(absent))).to.include('archiveTimeStamp hashIndexMissing')
    })

    it('hold in whatever order the attributes stand, in which those of v2 do not', () => {
      const turned = (cms: Uint8Array) => judge(withUnsignedAs(cms, (honest) => honest.toReversed()))
      expect(said(turned(archivedV3(bare, at(20))))).to.equal('validAt')
      expect(unusedOf(turned(archivedV2(bare, at(20))))).to.include('archiveTimeStamp imprint')
    })

    it('are out of order where one covers a younger one', () => {
      const verdict = judge(archivedV3(archivedV3(bare, at(25, second)), at(20)))
      expect(unusedOf(verdict)).to.include('archiveTimeStamp order')
      expect(verdict.subIndication).to.equal('TIMESTAMP_ORDER_FAILURE')
    })

    it('need the hash of the content by their own digest alone, or none where that is the one that was signed', () => {
      const digests = (oid: string) => new Map([[oid, digest(oid, TEXT)]])
      expect(said(judge(archivedV3(bare, at(20)), { document: digests(SHA_256) }))).to.equal('validAt')
      const v2 = judge(archivedV2(bare, at(20)), { document: digests(SHA_256) })
      expect(unusedOf(v2)).to.include('archiveTimeStamp contentMissing')
    })
  })

  const unsignedOf = (cms: Uint8Array): Buffer[] => {
    let all: readonly Buffer[] = []
    withUnsignedAs(cms, (honest) => {
      all = honest
      return honest
    })
    return [...all]
  }
  /** A signature with its last archive time stamp several times. */
  const many = (cms: Uint8Array, times: number): Buffer =>
    withUnsignedAs(cms, (honest) => [
      ...honest,
      ...Array.from({ length: times }, () => honest.at(-1) ?? Buffer.alloc(0)),
    ])
})
