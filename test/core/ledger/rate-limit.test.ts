import { expect } from 'chai'
import { RateLimit } from '#core/ledger/rate-limit.js'

const MINUTE = 60_000

describe('a rate limit', () => {
  let now: number
  beforeEach(() => {
    now = 1000
  })
  const limitOf = (perMinute: number, most?: number) => new RateLimit(perMinute, () => now, most)
  const taken = (limit: RateLimit, key: string, tries: number) =>
    Array.from({ length: tries }, () => limit.take(key)).filter((wait) => wait === 0).length

  it('allows a burst, then one by one', () => {
    const limit = limitOf(60)
    expect(taken(limit, 'a', 100)).to.equal(60)
    expect(limit.take('a')).to.equal(1000)
    now += 1000
    expect(taken(limit, 'a', 100)).to.equal(1)
    now += MINUTE
    expect(taken(limit, 'a', 100)).to.equal(60)
  })
  it('answers whole milliseconds for a fractional clock', () => {
    const limit = limitOf(6)
    for (now of [0.1, 7.3, 1234.5678, 98_765.4321]) {
      expect(taken(limit, `at ${now}`, 7)).to.equal(6)
      expect(limit.wait(`at ${now}`)).to.equal(10_000)
    }
  })
  it('counts each key separately', () => {
    const limit = limitOf(2)
    expect([taken(limit, 'a', 5), taken(limit, 'b', 5)]).to.deep.equal([2, 2])
  })
  it('of 0 limits nothing', () => {
    expect(taken(limitOf(0), 'a', 1000)).to.equal(1000)
  })
  it('counts the cost of a request, up to a minute’s allowance', () => {
    const limit = limitOf(60)
    expect([limit.take('a', 50), limit.take('a', 10), limit.take('a', 30)]).to.deep.equal([0, 0, 30_000])
    expect([limit.take('b', 1000), limit.take('b', 1000)]).to.deep.equal([0, MINUTE])
  })
  it('remembers a bounded number of keys, the most recently used', () => {
    const limit = limitOf(1, 2)
    for (const key of ['a', 'b']) limit.take(key)
    limit.take('c')
    expect([limit.wait('a') > 0, limit.wait('b') > 0, limit.wait('c') > 0]).to.deep.equal([false, true, true])
  })
})
