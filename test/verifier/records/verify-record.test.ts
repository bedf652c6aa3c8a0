import type { RecordContext } from '@signed-registry/verifier/records'
import { readEvidenceRecord, verifyEvidenceRecord } from '@signed-registry/verifier/records'
import { expect } from 'chai'
import { digest } from '#verifier/algorithms/digest.js'
import { defaultAlgorithmPolicy } from '#verifier/algorithms/policy.js'
import { DAY, NOW, testAuthorities } from '../../support/pki/authorities.js'
import { begun, hashRenewed, OIDS, stampRenewed, YEAR } from '../../support/pki/records.js'
import { trustOf } from '../../support/pki/trust.js'
import { refusalOf } from '../../support/refusal.js'

const DATA = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'].map((text) => Buffer.from(text))
const [ONE = Buffer.alloc(0)] = DATA

describe('an evidence record', () => {
  const by = testAuthorities()
  const trust = trustOf(by)
  const judge = (record: Uint8Array, { data = ONE, ...changes }: Partial<RecordContext> & { data?: Uint8Array } = {}) =>
    verifyEvidenceRecord(record, (oid) => digest(oid, data), { trust, now: NOW, ...changes })
  const refused = (record: Uint8Array, changes: Parameters<typeof judge>[1] = {}) => {
    const { code, details = {} } = refusalOf(() => judge(record, changes))
    const { reason, because, chain, stamp } = details
    return [code, reason, because, chain, stamp].filter((one) => one !== undefined).join(' ')
  }
  const NOT = 'evidenceRecordNotProved'

  for (const members of [1, 2, 3, 4, 5, 6, 7])
    it(`proves each of ${members} data objects under one time stamp, and no other`, () => {
      const data = DATA.slice(0, members)
      const records = begun(data, { by, at: NOW - DAY })
      for (const [place, record] of records.entries()) {
        const proof = judge(record, { data: data[place] ?? ONE })
        expect(proof.existedAt).to.equal(NOW - DAY)
        expect(proof.holdsUntil).to.equal(NOW - DAY + 3 * YEAR)
        const tokens = readEvidenceRecord(record).chains.flatMap(({ stamps }) => stamps.map(({ token }) => token))
        expect(tokens).to.have.length(1)
        expect(refused(record, { data: Buffer.from('another') })).to.equal(
          members === 1 ? `${NOT} imprint 0 0` : `${NOT} notCovered 0 0`,
        )
      }
    })

  it('holds beyond the end of a time-stamping certificate when the time stamp was renewed before, and not when later', () => {
    const year = (at: number) => NOW + at * YEAR
    const first = begun([ONE], { by, at: NOW })
    const second = stampRenewed(first, { by, at: year(2) })
    const third = stampRenewed(second, { by, at: year(4) })
    const [record = ONE] = third
    const proof = judge(record, { now: year(6) })
    expect(proof.existedAt).to.equal(NOW)
    expect(proof.holdsUntil).to.equal(year(7))
    expect(proof.chains.map(({ stamps }) => stamps.map(({ genTime }) => genTime))).to.deep.equal([
      [NOW, year(2), year(4)],
    ])
    expect(refused(record, { now: year(8) })).to.equal(`${NOT} authorityEnded 0 2`)
    expect(judge(record, { now: year(8), tsaExpiry: 'accept' }).existedAt).to.equal(NOW)
    const [late = ONE] = stampRenewed(first, { by, at: year(4) })
    expect(refused(late, { now: year(5) })).to.equal(`${NOT} renewedTooLate 0 0`)
    expect(refused(late, { now: year(5), tsaExpiry: 'accept' })).to.equal(`${NOT} renewedTooLate 0 0`)
  })

  it('holds no longer than what the certificates above its last time stamp are signed with', () => {
    const end = NOW + YEAR
    const algorithms = { ...defaultAlgorithmPolicy, evaluations: { '1.2.840.113549.1.1.11': [{ until: end }] } }
    const [record = ONE] = begun([ONE], { by, at: NOW })
    expect(judge(record, { now: end - 1, algorithms }).holdsUntil).to.equal(end)
    expect(refused(record, { now: end, algorithms })).to.match(/^evidenceRecordNotProved timeStamp .* 0 0$/)
  })

  it('holds beyond the end of a digest when it was renewed by another one before, and not when later', () => {
    const year = (at: number) => NOW + at * YEAR
    const algorithms = { ...defaultAlgorithmPolicy, digestsTrustedUntil: { [OIDS.sha384]: year(2) } }
    const data = DATA.slice(0, 3)
    const first = begun(data, { by, at: NOW, digest: 'sha384' })
    const renewed = (at: number) => hashRenewed(first, data, { by, at, digest: 'sha512' })[0] ?? ONE
    const proof = judge(renewed(year(1)), { now: year(3), algorithms })
    expect(proof.existedAt).to.equal(NOW)
    expect(proof.chains.map(({ digestOid }) => digestOid)).to.deep.equal([OIDS.sha384, OIDS.sha512])
    expect(judge(first[0] ?? ONE, { now: year(1), algorithms }).holdsUntil).to.equal(year(2))
    expect(refused(first[0] ?? ONE, { now: year(2), algorithms })).to.equal(`${NOT} digestNotTrusted 0`)
    expect(refused(renewed(year(2.5)), { now: year(2.6), algorithms })).to.equal(`${NOT} digestNotTrusted 0`)
  })
})
