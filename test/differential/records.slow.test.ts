import { Certificate } from '@signed-registry/verifier'
import { beginRecord, verifyEvidenceRecord } from '@signed-registry/verifier/records'
import { expect } from 'chai'
import { digest } from '#verifier/algorithms/digest.js'
import { DAY, NOW, testAuthorities } from '../support/pki/authorities.js'
import { begun, type Digest, hashRenewed, OIDS, stampRenewed, stamps } from '../support/pki/records.js'
import { BouncyCastle } from './bouncy-castle.js'
import { requireJava } from './java.js'
import { accepted } from './opinion.js'

const OTHER = Buffer.from('another')
const objects = (count: number) => Array.from({ length: count }, (_, place) => Buffer.from(`data object ${place}`))

describe('evidence records, in the eyes of BouncyCastle and in ours', () => {
  let theirs: BouncyCastle
  before(function () {
    requireJava(this, BouncyCastle.jars)
    theirs = new BouncyCastle()
  })
  after(() => theirs?.stop())

  const by = testAuthorities()
  const opinions = async (records: readonly Uint8Array[], data: readonly Uint8Array[]) => {
    for (const [place, record] of records.entries()) {
      expect(await theirs.record(record, data[place] ?? OTHER, NOW + 30 * DAY), `member ${place}`).to.deep.equal(
        accepted,
      )
      expect(await theirs.record(record, OTHER, NOW + 30 * DAY)).not.to.deep.equal(accepted)
    }
  }

  const day = (at: number, name: Digest) => ({ by, at: NOW + at * DAY, digest: name })

  for (const members of [1, 2, 3, 7])
    it(`are about what they say, of ${members} members, fresh, renewed three times by stamp and twice by hash`, async () => {
      const data = objects(members)
      let records = begun(data, day(0, 'sha256'))
      await opinions(records, data)
      for (const renewal of [1, 2, 3]) {
        records = stampRenewed(records, day(renewal, 'sha256'))
        await opinions(records, data)
      }
      for (const [renewal, name] of [
        [4, 'sha384'],
        [5, 'sha512'],
      ] as const) {
        records = hashRenewed(records, data, day(renewal, name))
        await opinions(records, data)
      }
    })

  it('are about what they say where one time stamp renews those of several trees, again and again', async () => {
    const data = objects(7)
    let records = [data.slice(0, 3), data.slice(3, 4), data.slice(4)].flatMap((tree) => begun(tree, day(0, 'sha256')))
    for (const renewal of [1, 2, 3]) {
      records = stampRenewed(records, day(renewal, 'sha256'))
      await opinions(records, data)
    }
  })

  for (const members of [1000, 100_000])
    it(`are about what they say under one time stamp for ${members}`, async () => {
      const data = objects(members)
      const stampOf = stamps(
        data.map((one) => digest(OIDS.sha512, one)),
        { by, at: NOW },
      )
      for (const place of [0, 1, Math.floor(members / 3), members - 1]) {
        const record = beginRecord(OIDS.sha512, stampOf(place))
        await opinions([record], data.slice(place, place + 1))
        expect(await theirs.record(record, objects(members + 1).at(-1) ?? OTHER, NOW)).not.to.deep.equal(accepted)
      }
    })

  for (const members of [1, 2, 3, 10])
    for (const renewals of [[], ['stamp'], ['stamp', 'stamp', 'hash', 'stamp'], ['hash', 'hash']] as const)
      it(`of BouncyCastle are read, of ${members} members, renewed by ${renewals.join(', ') || 'nothing'}`, async () => {
        const data = objects(members)
        const { anchor, records } = await theirs.writeRecords(data, renewals)
        const trust = { anchors: [Certificate.parse(anchor)], intermediates: [] }
        for (const [place, record] of records.entries()) {
          const own = (oid: string) => digest(oid, data[place] ?? OTHER)
          expect(verifyEvidenceRecord(record, own, { trust, now: NOW + 30 * DAY }).existedAt).to.equal(NOW)
        }
      })
})
