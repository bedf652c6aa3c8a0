import { expect } from 'chai'
import { isEmailAddress } from '#core/notifications/email-address.js'

describe('an e-mail address', () => {
  it('is one mailbox, plain or internationalized', () => {
    for (const address of ['a@example.kz', 'first.last+tag@sub.example.com', 'пошта@мекеме.қаз']) {
      expect(isEmailAddress(address), address).to.equal(true)
    }
    expect(isEmailAddress(`${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.kz`)).to.equal(true)
  })

  it('has no display name, no list, no line end and no address literal', () => {
    for (const address of [
      'A <a@b.kz>',
      'a@b.kz,c@d.kz',
      'a@b.kz\n',
      'a@b.kz\r\nBcc: c@d.kz',
      '"a b"@c.kz',
      'a@[127.0.0.1]',
      'a@b',
    ]) {
      expect(isEmailAddress(address), address).to.equal(false)
    }
  })

  it('has at most 254 characters, 64 of them before the sign', () => {
    expect(isEmailAddress(`${'a'.repeat(65)}@b.kz`)).to.equal(false)
    expect(isEmailAddress(`a@${'b'.repeat(250)}.kz`)).to.equal(false)
    expect(isEmailAddress(`${'a@'.repeat(5_000_000)}b.kz`)).to.equal(false)
  })
})
