import { expect } from 'chai'
import { networkOf, RateLimit, RequestRates } from '#core/ledger/request-rates.js'
import { employeeCaller, personCaller, systemCaller } from '../../support/core-registry.js'
import { refusalOf } from '../../support/refusal.js'

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

describe('rates of requests', () => {
  const stranger = (ip: string) => ({ kind: 'anonymous', address: networkOf(ip) }) as const
  const rates = () => new RequestRates({ anonymous: 1, caller: 2 }, () => 0, 'api')
  const refused = (attempt: () => unknown) => expect(refusalOf(attempt).message).to.equal('Request rate limit reached')

  it('count authenticated callers individually and others by address', () => {
    const counted = rates()
    void counted.count(stranger('192.0.2.1'))
    refused(() => counted.count(stranger('192.0.2.1')))
    void counted.count(stranger('192.0.2.2'))
    for (const caller of [personCaller(), employeeCaller(), systemCaller()]) {
      void counted.count(caller)
      void counted.count(caller)
      refused(() => counted.count(caller))
    }
  })
  it('count the bytes of JSON too', () => {
    const counted = new RequestRates({ anonymous: 0, caller: 0, anonymousBytes: 100, callerBytes: 200 }, () => 0, 'api')
    void counted.count(stranger('192.0.2.1'), 60)
    refused(() => counted.count(stranger('192.0.2.1'), 60))
    void counted.count(stranger('192.0.2.1'))
    void counted.count(stranger('192.0.2.2'), 60)
    void counted.count(personCaller(), 150)
    refused(() => counted.count(personCaller(), 60))
  })
  it('refuse an address after many refused certificates, before the lookup', () => {
    const counted = rates()
    counted.assertMayIdentify('192.0.2.1')
    counted.countRefused('192.0.2.1')
    refused(() => counted.assertMayIdentify('192.0.2.1'))
    counted.assertMayIdentify('192.0.2.2')
    void counted.count(stranger('192.0.2.1'))
  })
  it('divide refused certificates among processes, with one for each at least', () => {
    for (const [anonymous, parts, allowed] of [
      [60, 4, 15],
      [2, 4, 1],
    ] as const) {
      const lenders = { parts, borrow: () => Promise.resolve(0), onBorrow: () => undefined }
      const counted = new RequestRates({ anonymous, caller: 2, lenders }, () => 0, 'api')
      for (let n = 0; n < allowed; n += 1) {
        counted.assertMayIdentify('192.0.2.1')
        counted.countRefused('192.0.2.1')
      }
      refused(() => counted.assertMayIdentify('192.0.2.1'))
    }
  })
  it('count an IPv6 /64 network as one address, and IPv4-mapped IPv6 as IPv4', () => {
    const counted = rates()
    void counted.count(stranger('2001:db8:0:1::1'))
    refused(() => counted.count(stranger('2001:db8:0:1:ffff:ffff:ffff:ffff')))
    void counted.count(stranger('2001:db8:0:2::1'))
    void counted.count(stranger('::1'))
    void counted.count(stranger('::ffff:192.0.2.9'))
    refused(() => counted.count(stranger('192.0.2.9')))
  })
})
