import { pem } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { DAY, MINUTE, NOW, testAuthorities, testClock } from '../../../support/pki/authorities.js'
import { openssl } from '../../../support/pki/openssl.js'

const trustOf = (authorities: ReturnType<typeof testAuthorities>) => ({
  'root.pem': authorities.anchors.map((der) => pem('CERTIFICATE', der)).join(''),
  'chain.pem': authorities.intermediates.map((der) => pem('CERTIFICATE', der)).join(''),
})

describe('dev-authorities: TSA', () => {
  const clock = testClock()
  const authorities = testAuthorities({ clock })
  const query = (options: string) =>
    openssl(`ts -query -data data -out q.tsq ${options}`, { data: 'document' }, ({ file }) => file('q.tsq'))
  const read = (response: Buffer) => openssl('ts -reply -in r.tsr -text', { 'r.tsr': response }, ({ output }) => output)

  for (const options of ['-sha256 -cert', '-sha512 -cert -no_nonce', '-sha384 -cert -tspolicy 1.2.398.3.3.2.6.4']) {
    it(`answers a request made with ${options} so that OpenSSL verifies it`, () => {
      const request = query(options)
      const files = { ...trustOf(authorities), 'q.tsq': request, 'r.tsr': authorities.tsa.respond(request) }
      const command = 'ts -verify -queryfile q.tsq -in r.tsr -CAfile root.pem -untrusted chain.pem'
      openssl(`${command} -attime ${NOW / 1000}`, files, ({ ok, output }) => expect(ok, output).equal(true))
    })
  }

  it('stamps the time of the clock', () => {
    clock.time = NOW + 90 * MINUTE
    expect(read(authorities.tsa.respond(query('-sha256')))).contain('Time stamp: Jun  1 13:30:00 2026 GMT')
    clock.time = NOW
  })

  it('refuses a foreign policy, a legacy digest and rubbish', () => {
    expect(read(authorities.tsa.respond(query('-sha256 -tspolicy 1.2.3')))).match(
      /Status: Rejected[\s\S]*policy is not supported/,
    )
    expect(read(authorities.tsa.respond(query('-sha1')))).match(/Status: Rejected[\s\S]*algorithm/)
    expect(read(authorities.tsa.respond(Buffer.from('rubbish')))).match(/Status: Rejected[\s\S]*wrong format/)
  })
})

describe('dev-authorities: OCSP and CRL', () => {
  const authorities = testAuthorities()
  const [rsa, ecdsa] = authorities.intermediates.map((der) => pem('CERTIFICATE', der))

  const ask = (issuer: string | undefined, certificatePem: string, digest: string) => {
    const files = { ...trustOf(authorities), 'ca.pem': issuer ?? '', 'c.pem': certificatePem }
    const request = openssl(`ocsp ${digest} -issuer ca.pem -cert c.pem -reqout q`, files, ({ file }) => file('q'))
    const answered = { ...files, q: request, r: authorities.ocsp.respond(request) }
    const command = `ocsp -issuer ca.pem -reqin q -respin r -CAfile root.pem -verify_other chain.pem -attime ${NOW / 1000}`
    return openssl(`${command} -no_nonce -resp_text`, answered, ({ output }) => output)
  }

  for (const digest of ['-sha1', '-sha256']) {
    it(`answers good about people of both CAs, asked by ${digest}`, () => {
      for (const [issuer, algorithm] of [
        [rsa, 'rsa2048'],
        [ecdsa, 'p256'],
      ] as const) {
        const text = ask(issuer, authorities.person({ algorithm }).certificatePem, digest)
        expect(text).contain('Response verify OK').and.contain('Cert Status: good').and.contain('OCSP Nonce')
        expect(text).contain('This Update: Jun  1 12:00:00 2026 GMT').and.not.contain('Next Update')
      }
    })
  }

  it('answers revoked, with time and reason, in OCSP and in the CRL', () => {
    const person = authorities.person()
    authorities.revoke(person, NOW - DAY, 'superseded')
    const text = ask(ecdsa, person.certificatePem, '-sha256')
    expect(text).contain('Cert Status: revoked').and.contain('Revocation Time: May 31 12:00:00 2026 GMT')
    expect(text).contain('superseded')
    const files = { 'ca.pem': ecdsa ?? '', crl: authorities.crl('ecdsa') }
    openssl('crl -inform DER -in crl -noout -text -CAfile ca.pem', files, ({ output }) => {
      expect(output).contain('verify OK').and.contain('Superseded').and.contain('May 31 12:00:00 2026 GMT')
    })
    openssl('crl -inform DER -in crl -noout -text', { crl: authorities.crl('rsa') }, ({ output }) =>
      expect(output).contain('No Revoked Certificates'),
    )
  })

  it('answers unknown about certificates that it has not issued, and nothing about foreign CAs or rubbish', () => {
    const stranger = testAuthorities().person()
    expect(ask(ecdsa, stranger.certificatePem, '-sha256')).contain('Cert Status: unknown')
    expect(ask(stranger.certificatePem, stranger.certificatePem, '-sha256')).contain('unauthorized')
    const refusal = authorities.ocsp.respond(Buffer.from('rubbish'))
    expect(refusal.toString('hex')).equal('30030a0101')
  })
})
