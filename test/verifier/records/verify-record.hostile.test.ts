import type { RecordContext } from '@signed-registry/verifier/records'
import { HashTree, readEvidenceRecord, verifyEvidenceRecord } from '@signed-registry/verifier/records'
import { expect } from 'chai'
import { octetString, sequence } from '#dev-authorities/der/writer.js'
import { digest } from '#verifier/algorithms/digest.js'
import { RegistryError } from '#verifier/error.js'
import { hashOfSiblings } from '#verifier/records/hash-tree.js'
import { beginRecord } from '#verifier/records/write-record.js'
import { der } from '../../support/der.js'
import { DAY, foreignAuthorities, NOW, testAuthorities } from '../../support/pki/authorities.js'
import { begun, hashRenewed, OIDS, stampOver, stampRenewed, YEAR } from '../../support/pki/records.js'
import { trustOf } from '../../support/pki/trust.js'
import { randomDerMutant, seeded } from '../../support/random-der-mutant.js'
import { refusalOf } from '../../support/refusal.js'

const DATA = ['one', 'two', 'three', 'four'].map((text) => Buffer.from(text))
const [ONE = Buffer.alloc(0), TWO = Buffer.alloc(0)] = DATA
/** In no tree. A record is also right about its sibling, whose hash is in it. */
const STRANGER = Buffer.from('a stranger')
const NOT = 'evidenceRecordNotProved'
const UNREAD = 'evidenceRecordNotRead'

describe('a hostile evidence record', () => {
  const by = testAuthorities()
  const trust = trustOf(by)
  const sha512 = (data: Uint8Array) => digest(OIDS.sha512, data)
  const judge = (record: Uint8Array, { data = ONE, ...changes }: Partial<RecordContext> & { data?: Uint8Array } = {}) =>
    verifyEvidenceRecord(record, (oid) => digest(oid, data), { trust, now: NOW + DAY, ...changes })
  const refused = (record: Uint8Array, changes: Parameters<typeof judge>[1] = {}) => {
    const { code, details = {} } = refusalOf(() => judge(record, changes))
    const { reason, because, chain, stamp } = details
    return [code, reason, because, chain, stamp].filter((one) => one !== undefined).join(' ')
  }
  const stamping = { by, at: NOW }
  /** A record with any way to the root. */
  const withWay = (root: Uint8Array, reducedTree: readonly (readonly Uint8Array[])[] | undefined) =>
    beginRecord(OIDS.sha512, { token: stampOver(root, stamping), reducedTree })
  /** A record of archive time stamps in these chains. */
  const recordOf = (...chains: readonly (readonly Uint8Array[])[]) => {
    const digests = der(0x30, Buffer.from('300d06096086480165030402030500', 'hex'))
    return der(0x30, Buffer.from('020101', 'hex'), digests, der(0x30, ...chains.map((chain) => der(0x30, ...chain))))
  }
  const stampsOf = (record: Uint8Array) =>
    readEvidenceRecord(record).chains.map(({ stamps }) => stamps.map((stamp) => Buffer.from(stamp.der)))

  it('is refused where its archive time stamps are left out, doubled or in another order', () => {
    const year = (at: number) => NOW + at * YEAR
    const first = begun([ONE], stamping)
    const second = stampRenewed(first, { by, at: year(2) })
    const third = stampRenewed(second, { by, at: year(4) })
    const [record = ONE] = hashRenewed(third, [ONE], { by, at: year(5), digest: 'sha512' })
    const now = year(6)
    expect(judge(record, { now }).existedAt).to.equal(NOW)
    const [[a = ONE, b = ONE, c = ONE] = [], [d = ONE] = []] = stampsOf(record)
    expect(judge(recordOf([a, b, c], [d]), { now }).existedAt).to.equal(NOW)
    expect(refused(recordOf([a, b], [d]), { now })).to.equal(`${NOT} imprint 1 0`)
    // The last covers all before, so that what is left out makes a gap in time, not in the proof.
    expect(refused(recordOf([a, c]), { now })).to.equal(`${NOT} renewedTooLate 0 0`)
    expect(refused(recordOf([b, c]), { now })).to.equal(`${NOT} imprint 0 0`)
    expect(refused(recordOf([a, c, b]), { now: year(4) })).to.match(
      /^evidenceRecordNotProved (imprint|notCovered) 0 2$/,
    )
    expect(refused(recordOf([a, a]), { now: NOW + DAY })).to.equal(`${NOT} imprint 0 1`)
    expect(refused(recordOf([d], [a, b, c]), { now })).to.match(/^evidenceRecordNotProved/)
    // What a record loses at its end is proved as long as what is left holds.
    expect(judge(recordOf([a]), { now: year(1) }).holdsUntil).to.equal(year(3))
    expect(refused(recordOf([a]), { now })).to.equal(`${NOT} authorityEnded 0 0`)
  })

  it('is refused with hashes that are doubled, of another length, too many, or none', () => {
    const [one, two] = [sha512(ONE), sha512(TWO)]
    const long = Buffer.concat([one, two])
    expect(refused(withWay(hashOfSiblings(OIDS.sha512, [one, one]), [[one, one]]))).to.equal(`${NOT} doubledHash 0 0`)
    const node = hashOfSiblings(OIDS.sha512, [one, two])
    expect(refused(withWay(hashOfSiblings(OIDS.sha512, [node, node]), [[one, two], [node]]))).to.equal(
      `${NOT} doubledHash 0 0`,
    )
    expect(refused(withWay(sha512(long), [[one, Buffer.concat([two, two])]]))).to.equal(`${NOT} hashLength 0 0`)
    expect(refused(withWay(one, [[one, Buffer.alloc(0)]]))).to.equal(`${NOT} hashLength 0 0`)
    expect(refused(withWay(node, [[two], [one]]))).to.equal(`${NOT} notCovered 0 0`)
    expect(refused(withWay(node, [[one, two, sha512(long)]]))).to.equal(`${NOT} imprint 0 0`)
    const many = Array.from({ length: 1025 }, (_, index) => sha512(Buffer.from(String(index))))
    expect(refused(withWay(node, [many]))).to.equal(`${UNREAD} overLimit`)
    expect(refused(withWay(node, [[one, two], []]))).to.equal(`${UNREAD} empty`)
    expect(
      refused(
        withWay(
          node,
          Array.from({ length: 65 }, () => [one]),
        ),
      ),
    ).to.equal(`${UNREAD} overLimit`)
  })

  it('may be about a group of data objects, each of which it proves', () => {
    const group = DATA.slice(0, 3).map(sha512)
    const tree = new HashTree(OIDS.sha512, [hashOfSiblings(OIDS.sha512, group), sha512(Buffer.from('another'))])
    const record = withWay(tree.root, tree.reducedTree(0, group))
    for (const data of DATA.slice(0, 3)) expect(judge(record, { data }).existedAt).to.equal(NOW)
    expect(refused(record, { data: DATA[3] ?? ONE })).to.equal(`${NOT} notCovered 0 0`)
  })

  it('is refused where an authority lies about time or imprint, or renews before it stamps', () => {
    const later = begun([ONE], { by, at: NOW + 2 * DAY })
    expect(refused(later[0] ?? ONE)).to.equal(`${NOT} timeStamp genTimeInFuture 0 0`)
    const backdated = stampRenewed(begun([ONE], stamping), { by, at: NOW - DAY })
    expect(refused(backdated[0] ?? ONE)).to.match(/^evidenceRecordNotProved (order|timeStamp genTimeInFuture) 0 0$/)
    expect(refused(withWay(sha512(TWO), undefined))).to.equal(`${NOT} imprint 0 0`)
    const strangers = foreignAuthorities()
    expect(refused(begun([ONE], { by: strangers, at: NOW })[0] ?? ONE)).to.match(
      /^evidenceRecordNotProved timeStamp .* 0 0$/,
    )
  })

  it('is not read in another form, of another version, about encrypted data, or with too many time stamps', () => {
    const [record = ONE] = begun([ONE], stamping)
    const [[stamp = ONE] = []] = stampsOf(record)
    expect(refused(Buffer.concat([record, Buffer.of(0)]))).to.equal(`${UNREAD} notDer`)
    expect(refused(Buffer.from('nothing'))).to.equal(`${UNREAD} notDer`)
    const version = Uint8Array.from(recordOf([stamp]))
    version[version.indexOf(0x02) + 2] = 2
    expect(refused(version)).to.equal(`${UNREAD} version`)
    expect(refused(recordOf())).to.equal(`${UNREAD} empty`)
    expect(refused(recordOf([]))).to.equal(`${UNREAD} empty`)
    expect(refused(recordOf(Array.from({ length: 129 }, () => stamp)))).to.equal(`${UNREAD} overLimit`)
    const halves = Array.from({ length: 65 }, () => stamp)
    expect(refused(recordOf(halves, halves))).to.equal(`${UNREAD} overLimit`)
    const encrypted = der(
      0x30,
      Buffer.from('020101', 'hex'),
      der(0x30, Buffer.from('300d06096086480165030402030500', 'hex')),
      der(0xa1, sequence(octetString(Buffer.of(1)))),
      der(0x30, der(0x30, stamp)),
    )
    expect(refused(encrypted)).to.equal(`${UNREAD} encrypted`)
    expect(refused(Buffer.alloc(8 * 2 ** 20 + 1))).to.equal(`${UNREAD} tooLarge`)
  })

  it('is refused without a hash by the algorithm of its tree', () => {
    const [record = ONE] = begun([ONE], stamping)
    const attempt = () => verifyEvidenceRecord(record, () => undefined, { trust, now: NOW })
    expect(refusalOf(attempt).details).to.include({ reason: 'hashMissing', oid: OIDS.sha512, chain: 0, stamp: 0 })
  })

  it('proves nothing else whatever is changed in it, and is always refused by a code', () => {
    const [record = ONE, other = ONE] = stampRenewed(begun(DATA, stamping), { by, at: NOW + 60_000 })
    const random = seeded(20261124)
    for (let mutants = 300; mutants > 0; mutants -= 1) {
      const mutant = randomDerMutant(record, [record, other], random)
      for (const data of [ONE, STRANGER]) {
        try {
          expect(judge(mutant, { data }).existedAt).to.be.oneOf([NOW, NOW + 60_000])
          expect(data).to.equal(ONE)
        } catch (error) {
          if (!(error instanceof RegistryError)) throw error
          expect(error.code).to.be.oneOf([NOT, UNREAD])
        }
      }
    }
  })
})
