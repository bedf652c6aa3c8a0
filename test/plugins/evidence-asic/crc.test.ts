import { crc32 } from 'node:zlib'
import { expect } from 'chai'
import { joinedCrc, Piece } from '#evidence-asic/crc.js'
import { Random } from '../../fuzz/random.js'

describe('the CRC-32 of pieces', () => {
  it('is that of what they make up together', () => {
    const random = new Random(32)
    for (const length of [0, 1, 2, 5, 31, 256, 65_535, 65_536, 100_003]) {
      const [one, other] = [random.bytes(random.below(300)), Buffer.alloc(length, random.bytes(97))]
      const due = crc32(Buffer.concat([one, other]))
      for (let times = 0; times < 2; times += 1)
        expect(joinedCrc(crc32(one), new Piece(other).crc, length), `${length} octets`).to.equal(due)
    }
  })
})
