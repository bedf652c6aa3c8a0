import { expect } from 'chai'
import { ReturningKeys } from '#verifier/algorithms/gost/returning-keys.js'

const key = (x: number, y = 1) => ({ x: BigInt(x), y: BigInt(y) })

describe('keys that return', () => {
  it('have a slot from the third time on, which is fresh once', () => {
    const keys = new ReturningKeys()
    const found = [1, 2, 3, 4, 5].map(() => keys.slotOf(key(7)))
    expect(found.slice(0, 2)).to.deep.equal([undefined, undefined])
    expect(found.slice(2).map((one) => one?.fresh)).to.deep.equal([true, false, false])
    expect(new Set(found.slice(2).map((one) => one?.slot))).to.have.property('size', 1)
  })

  it('are told from their opposites', () => {
    const keys = new ReturningKeys()
    for (let time = 0; time < 10; time += 1) {
      expect(keys.slotOf(key(7, 1))).to.equal(undefined)
      expect(keys.slotOf(key(7, 2))).to.equal(undefined)
    }
    for (const [y, fresh] of [
      [2, undefined],
      [2, true],
      [1, undefined],
      [1, undefined],
      [1, true],
    ] as const) {
      expect(keys.slotOf(key(7, y))?.fresh, `y = ${y}`).to.equal(fresh)
    }
  })

  it('never share a slot, and a slot that changes hands is fresh', () => {
    const keys = new ReturningKeys()
    const owners = new Map<number, number>()
    for (let time = 0; time < 2000; time += 1) {
      const x = (time * time * 31) % 41
      const found = keys.slotOf(key(x))
      if (found === undefined) continue
      if (!found.fresh) expect(owners.get(found.slot)).to.equal(x)
      for (const [slot, owner] of owners) if (owner === x) owners.delete(slot)
      owners.set(found.slot, x)
    }
    expect(owners.size).to.be.above(10)
    expect(Math.max(...owners.keys())).to.be.below(16)
  })

  it('are forgotten when very many others came in between', () => {
    const keys = new ReturningKeys()
    keys.slotOf(key(7))
    keys.slotOf(key(7))
    for (let x = 1000; x < 1300; x += 1) keys.slotOf(key(x))
    expect(keys.slotOf(key(7))).to.equal(undefined)
  })
})
