import { addressTest, isNetwork } from '@signed-registry/core'
import { expect } from 'chai'

describe('addresses and networks', () => {
  it('are told from other text', () => {
    for (const text of ['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8']) expect(isNetwork(text), text).to.equal(true)
    for (const text of ['', 'proxy', '10.0.0.1/33', '10.0.0/8', '::1/129', '10.0.0.1/', '10.0.0.1/8/8', '10.0.0.1/-1'])
      expect(isNetwork(text), text).to.equal(false)
  })
  it('are recognised in both ways of writing an IPv4 address', () => {
    const isListed = addressTest(['10.0.0.0/24', 'fd00::1'])
    for (const address of ['10.0.0.7', '::ffff:10.0.0.7', 'fd00::1']) expect(isListed(address), address).to.equal(true)
    for (const address of ['10.0.1.7', '::ffff:10.0.1.7', 'fd00::2', 'x', '', undefined]) {
      expect(isListed(address), address).to.equal(false)
    }
    expect(addressTest([])('127.0.0.1')).to.equal(false)
  })
})
