import { expect } from 'chai'
import { readCertificateHeader } from '#host/mutual-tls/client-certificates.js'
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
