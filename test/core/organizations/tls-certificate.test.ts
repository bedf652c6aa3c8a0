import { expect } from 'chai'
import { keyDigest, readTlsCertificate } from '#core/organizations/tls-certificate.js'
import { clientCertificate, renewed } from '../../support/client-certificate.js'
import { refusalOf } from '../../support/refusal.js'

const reasonFor = (pem: string) => {
  const { code, details } = refusalOf(() => readTlsCertificate(pem, 'item'))
  expect(code).to.equal('tlsCertificateNotUsable')
  expect(details).to.have.all.keys('field', 'reason')
  expect(JSON.stringify(details)).to.not.include('PRIVATE')
  return details?.reason
}
const ec = (curve: string) => `ec -pkeyopt ec_paramgen_curve:${curve}`

describe('a client certificate', () => {
  const good = clientCertificate()

  it('is identified by its public key only', () => {
    const again = renewed(good)
    expect(again.digest).to.not.equal(good.digest)
    expect(keyDigest(readTlsCertificate(again.pem, 'item'))).to.deep.equal(
      keyDigest(readTlsCertificate(good.pem, 'item')),
    )
  })

  it('may be surrounded by white space and have Windows line endings', () => {
    readTlsCertificate(`\r\n ${good.pem.replaceAll('\n', '\r\n')}\t\n`, 'item')
  })

  for (const key of ['rsa:2048', ec('secp224r1'), ec('secp384r1'), ec('secp521r1')]) {
    it(`may have a key ${key}`, () => {
      readTlsCertificate(clientCertificate(key).pem, 'item')
    })
  }
  for (const key of ['rsa:1024', ec('prime192v1'), 'ed25519']) {
    it(`is refused with a key ${key}`, () => {
      expect(reasonFor(clientCertificate(key).pem)).to.equal('weakKey')
    })
  }

  const lines = good.pem.trim().split('\n')
  const wrong: Record<string, [pem: string, reason: string]> = {
    nothing: ['', 'notOnePemBlock'],
    'a private key': [good.key, 'privateKey'],
    'a certificate and its private key': [good.pem + good.key, 'privateKey'],
    'an encrypted private key': [
      '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAA==\n-----END ENCRYPTED PRIVATE KEY-----',
      'privateKey',
    ],
    'two certificates': [good.pem + good.pem, 'notOnePemBlock'],
    'text before it': [`subject=CN = system\n${good.pem}`, 'notOnePemBlock'],
    'text after it': [`${good.pem}x`, 'notOnePemBlock'],
    'another label': [good.pem.replaceAll('CERTIFICATE', 'X509 CRL'), 'notOnePemBlock'],
    'DER in base64 without PEM': [good.der.toString('base64'), 'notOnePemBlock'],
    'spaces for line ends': [lines.join(' '), 'notOnePemBlock'],
    'base64 with a stranger inside': [good.pem.replace('\nMI', '\nM!'), 'notOnePemBlock'],
    'base64 with its padding inside': [lines.toSpliced(2, 0, 'AA==').join('\n'), 'notOnePemBlock'],
    'bytes after the certificate': [
      `-----BEGIN CERTIFICATE-----\n${Buffer.concat([good.der, Buffer.of(0)]).toString('base64')}\n-----END CERTIFICATE-----`,
      'notParsed',
    ],
    'half a certificate': [
      `-----BEGIN CERTIFICATE-----\n${good.der.subarray(0, 99).toString('base64')}\n-----END CERTIFICATE-----`,
      'notParsed',
    ],
    megabytes: [`-----BEGIN CERTIFICATE-----\n${'A'.repeat(10_000_000)}\n-----END CERTIFICATE-----`, 'tooLarge'],
  }
  for (const [name, [pem, reason]] of Object.entries(wrong)) {
    it(`is refused for ${name}`, () => {
      expect(reasonFor(pem)).to.equal(reason)
    })
  }

  it('is read or cleanly refused for every changed byte', () => {
    for (let at = 0; at < good.der.length; at += 1) {
      for (const flip of [0x01, 0x80, 0xff]) {
        const der = Buffer.from(good.der)
        der[at] = (der[at] as number) ^ flip
        const pem = `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----`
        try {
          readTlsCertificate(pem, 'item')
        } catch (error) {
          expect(error, `byte ${at}`).to.have.property('code', 'tlsCertificateNotUsable')
        }
      }
    }
  })
})
