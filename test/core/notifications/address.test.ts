import { expect } from 'chai'
import { isEmailAddress } from '#core/notifications/address.js'

describe('an e-mail address', () => {
  it('is a single mailbox, plain or internationalized', () => {
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

  it('has an Internet host name: no IP address in any form, no local name', () => {
    for (const host of [
      ...['127.0.0.1', '10.0.0.1', '[::1]', '[IPv6:::1]', '::1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1'],
      ...[
        '0x7f.0x0.0x0.0x1',
        '127.1',
        '127.0.0.1.',
        '１２７.0.0.１',
        '①②⑦.0.0.①',
        'example.1',
        'example.k2',
        'example.0x1f',
      ],
      ...[
        'localhost',
        'LOCALHOST',
        'a.localhost',
        'a.LocalHost',
        'a.ｌｏｃａｌｈｏｓｔ',
        'registry',
        'kz',
        'example.k',
        '.kz',
        'a..kz',
      ],
      ...['example.kz.', '-a.kz', 'a-.kz', 'a_b.kz', 'a。kz', `${'b'.repeat(64)}.kz`, 'example.xn--', 'example.xn--a-'],
    ])
      expect(isEmailAddress(`root@${host}`), host).to.equal(false)
    for (const host of [
      '1.kz',
      '127.0.0.1.kz',
      'a.localhosts',
      'EXAMPLE.KZ',
      'xn--80a.xn--80ao21a',
      'МЫСАЛ.ҚАЗ',
      'a-b.kz',
    ])
      expect(isEmailAddress(`root@${host}`), host).to.equal(true)
  })

  it('has at most 254 characters, 64 of them before the @', () => {
    expect(isEmailAddress(`${'a'.repeat(65)}@b.kz`)).to.equal(false)
    expect(isEmailAddress(`a@${'b'.repeat(250)}.kz`)).to.equal(false)
    expect(isEmailAddress(`${'a@'.repeat(5_000_000)}b.kz`)).to.equal(false)
  })
})
