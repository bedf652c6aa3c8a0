import { expect } from 'chai'
import { networkOf, RequestRates } from '#core/ledger/request-rates.js'
import { employeeCaller, personCaller, systemCaller } from '../../support/core-registry.js'
import { refusalOf } from '../../support/refusal.js'

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
