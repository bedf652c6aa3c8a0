import { expect } from 'chai'
import { readCertificateHeader } from '#host/mutual-tls/client-certificates.js'
import { addressTest, isNetwork } from '#host/mutual-tls/proxies.js'
import { refusalOf } from '../../support/refusal.js'

describe('the header of a client certificate (RFC 9440)', () => {
  it('is base64 between colons', () => {
    expect(readCertificateHeader(':MAA=:')).to.deep.equal(Buffer.from([0x30, 0]))
  })
  it('is PEM with the escapes of URLs from nginx', () => {
    const pem = '-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n'
    expect(readCertificateHeader(encodeURIComponent(pem))).to.deep.equal(Buffer.from([0x30, 0]))
    for (const wrong of [
      pem,
      encodeURIComponent(pem + pem),
      encodeURIComponent(pem.replace('=', '')),
      '-----BEGIN%20CERTIFICATE-----%0A%-----END%20CERTIFICATE-----',
    ])
      expect(refusalOf(() => readCertificateHeader(wrong)).code, wrong).to.equal('invalidHeaders')
  })
  it('is refused in any other form, and doubled', () => {
    const values = [
      '',
      ':',
      '::',
      'MAA=',
      ':MAA=',
      'MAA=:',
      ':MAA:',
      ':M A=:',
      ':MAA=:, :MAA=:',
      ':MAA=:;a=1',
      `:${'A'.repeat(20_000)}:`,
    ]
    for (const value of values) {
      expect(refusalOf(() => readCertificateHeader(value)).code, value).to.equal('invalidHeaders')
    }
    expect(refusalOf(() => readCertificateHeader([':MAA=:', ':MAA=:'])).code).to.equal('invalidHeaders')
  })
})

describe('trusted proxies', () => {
  it('are addresses and networks', () => {
    for (const text of ['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8']) expect(isNetwork(text), text).to.equal(true)
    for (const text of ['', 'proxy', '10.0.0.1/33', '10.0.0/8', '::1/129', '10.0.0.1/', '10.0.0.1/8/8', '10.0.0.1/-1'])
      expect(isNetwork(text), text).to.equal(false)
  })
  it('are recognised in both ways of writing an IPv4 address', () => {
    const isProxy = addressTest(['10.0.0.0/24', 'fd00::1'])
    for (const address of ['10.0.0.7', '::ffff:10.0.0.7', 'fd00::1']) expect(isProxy(address), address).to.equal(true)
    for (const address of ['10.0.1.7', '::ffff:10.0.1.7', 'fd00::2', 'x', '', undefined]) {
      expect(isProxy(address), address).to.equal(false)
    }
    expect(addressTest([])('127.0.0.1')).to.equal(false)
  })
})
