import { expect } from 'chai'
import { octetString } from '#dev-authorities/der/writer.js'
import { ocspAddress } from '#dev-authorities/x509/extensions.js'
import { OnlineStatusSource } from '#online-authorities/online-sources.js'
import { allowedResponder } from '#online-authorities/responder-address.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { testAuthorities } from '../../support/pki/authorities.js'
import { delegate } from '../../support/pki/tokens.js'

describe('OCSP address of a certificate', () => {
  const authorities = testAuthorities()
  const certificateWith = (extensions: ReturnType<typeof ocspAddress>[]) =>
    Certificate.parse(delegate(authorities, { extensions }).certificate)
  const naming = (address: string) => certificateWith([ocspAddress(address)])
  const asked = (address: string, ...hosts: string[]) => allowedResponder(naming(address), new Set(hosts))

  it('is asked when its host is allowed', () => {
    expect(asked('http://ocsp.example/x', 'ocsp.example')).to.equal('http://ocsp.example/x')
    expect(asked('http://OCSP.example/', 'ocsp.example')).to.equal('http://OCSP.example/')
    expect(asked('https://ocsp.example:8443/', 'ocsp.example:8443')).to.equal('https://ocsp.example:8443/')
    expect(asked('http://ocsp.example/', 'ocsp.example:80')).to.equal('http://ocsp.example/')
  })

  // The certificate is foreign data: server-side request forgery.
  for (const address of [
    'http://169.254.169.254/latest/meta-data',
    'http://ocsp.example:8080/',
    'http://ocsp.example.attacker.example/',
    'http://attacker.example/?ocsp.example',
    'http://ocsp.example@attacker.example/',
    'http://user:secret@ocsp.example/',
    'http://[::ffff:127.0.0.1]/',
    'http://0x7f.1/',
    'file:///etc/passwd',
    'ldap://ocsp.example/',
    '//ocsp.example/',
    'ocsp.example',
  ]) {
    it(`is not asked when it is ${address}`, () => {
      expect(asked(address, 'ocsp.example')).to.equal(undefined)
    })
  }

  it('is not asked when no host is allowed, and absent when the certificate names none', () => {
    expect(asked('http://ocsp.example/')).to.equal(undefined)
    expect(allowedResponder(certificateWith([]), new Set(['ocsp.example']))).to.equal(undefined)
  })

  it('is absent when the extension is malformed', () => {
    const malformed = { ...ocspAddress('http://ocsp.example/'), value: octetString(Buffer.of(1)) }
    expect(allowedResponder(certificateWith([malformed]), new Set(['ocsp.example']))).to.equal(undefined)
  })

  it('gives way to the one that the operator configured', () => {
    const source = new OnlineStatusSource({ ocspUrl: 'http://configured.example/', ocspAllowedHosts: ['ocsp.example'] })
    expect(source.urlFor(naming('http://ocsp.example/'))).to.equal('http://configured.example/')
    const byCertificate = new OnlineStatusSource({ ocspAllowedHosts: ['OCSP.example'] })
    expect(byCertificate.urlFor(naming('http://ocsp.example/'))).to.equal('http://ocsp.example/')
  })
})
