import { pem } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { buildOcspRequest } from '#verifier/status/ocsp-request.js'
import { verifyOcsp } from '#verifier/status/verify-ocsp.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { testAuthorities } from '../../support/pki/authorities.js'
import { ocspResponder } from '../../support/pki/ocsp-answers.js'
import { openssl } from '../../support/pki/openssl.js'
import { trustOf } from '../../support/pki/trust.js'
import { reasonOf } from '../../support/refusal.js'

const VALID = { notBefore: Date.UTC(2020, 0, 1), notAfter: Date.UTC(2044, 0, 1) }

describe('OCSP request', () => {
  const authorities = testAuthorities()
  const person = authorities.person({ issuer: 'rsa' })
  const certificate = Certificate.parse(person.certificate)
  const issuer = Certificate.parse(person.issuer)
  const nonce = Buffer.from('4001020304050607', 'hex')

  it('is read by OpenSSL as it was meant', () => {
    const request = buildOcspRequest({ certificate, issuer, nonce })
    openssl('ocsp -reqin request.der -req_text', { 'request.der': request }, ({ output }) => {
      expect(output).to.contain('Hash Algorithm: sha256')
      expect(output).to.contain(`Serial Number: ${certificate.serialNumber.toUpperCase()}`)
      expect(output).to.match(/OCSP Nonce:\s+04084001020304050607/)
    })
  })

  it('is answered by a responder of OpenSSL so that we accept or refuse as it says', () => {
    const responder = ocspResponder(authorities, { ...VALID, kind: 'rsa2048' })
    const serial = certificate.serialNumber.toUpperCase()
    const command =
      'ocsp -index index.txt -CA ca.pem -rsigner responder.pem -rkey responder.key -reqin request.der -respout response.der'
    const answered = (line: string) =>
      openssl(
        command,
        {
          'index.txt': line,
          'index.txt.attr': 'unique_subject = no\n',
          'ca.pem': pem('CERTIFICATE', person.issuer),
          'responder.pem': pem('CERTIFICATE', responder.certificate),
          'responder.key': responder.key.toPem(),
          'request.der': buildOcspRequest({ certificate, issuer, nonce }),
        },
        ({ file }) => file('response.der'),
      )
    const context = () => ({
      certificate,
      issuer,
      trust: trustOf(authorities),
      time: Date.now(),
      now: Date.now(),
      nonce,
    })
    const good = answered(`V\t440101000000Z\t\t${serial}\tunknown\t/CN=person\n`)
    expect(verifyOcsp(good, context()).responder.fingerprint).to.equal(
      Certificate.parse(responder.certificate).fingerprint,
    )
    const revoked = answered(`R\t440101000000Z\t250101000000Z,keyCompromise\t${serial}\tunknown\t/CN=person\n`)
    expect(reasonOf(() => verifyOcsp(revoked, context()))).to.equal('invalidCertificateStatus: revoked')
    const unknown = answered(`V\t440101000000Z\t\t01\tunknown\t/CN=somebody\n`)
    expect(reasonOf(() => verifyOcsp(unknown, context()))).to.equal('invalidCertificateStatus: unknown')
  })
})
