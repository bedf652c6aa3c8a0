import { expect } from 'chai'
import { newIdIn, shareOf } from '#core/deliveries/share.js'
import { newId } from '#core/kernel/ids.js'

const IDS = 2000

describe('shares of deliveries', () => {
  for (const hosts of [2, 3, 7, 60]) {
    it(`of ${hosts} hosts have each identifier once, and about as many each`, () => {
      const shares = Array.from({ length: hosts }, (_, rank) => shareOf(rank, hosts))
      const holders = Array.from({ length: IDS }, newId).map((id) =>
        shares.filter((share) => share && id >= share.from && (share.to === undefined || id < share.to)),
      )
      expect(holders.filter(({ length }) => length !== 1)).to.deep.equal([])
      for (const share of shares) {
        const held = holders.filter(([holder]) => holder === share).length
        expect(held).to.be.within(IDS / hosts / 4, (2 * IDS) / hosts + 20)
      }
    })
  }

  it('of one host are everything', () => {
    expect(shareOf(0, 1)).to.equal(undefined)
  })

  it('have new identifiers of their own', () => {
    const share = shareOf(1, 3)
    if (share === undefined) throw new Error('A third is a share')
    for (const id of Array.from({ length: 100 }, () => newIdIn(share)))
      expect(id >= share.from && id < String(share.to), id).to.equal(true)
  })
})
