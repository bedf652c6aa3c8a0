import { expect } from 'chai'
import { pem } from '#dev-authorities/index.js'
import { isOcspResponse, ocspResponseOf, readOcspResponse } from '#verifier/status/ocsp-response.js'
import { presentAuthorities } from '../../support/pki/authorities.js'
import { openssl } from '../../support/pki/openssl.js'
import { expectRefusal } from '../../support/refusal.js'

describe('an answer as OCSPResponse', () => {
  const authorities = presentAuthorities()
  const person = authorities.person({ algorithm: 'rsa2048' })
  const basic = authorities.ocsp.status(person.certificate, person.issuer)
  const whole = ocspResponseOf(basic)

  it('has the basic response inside, as it was', () => {
    const { status, basic: inside } = readOcspResponse(whole)
    expect([status, Buffer.from(inside ?? [])]).to.deep.equal(['successful', basic])
  })

  it('stays one', () => {
    expect(isOcspResponse(whole)).to.equal(true)
    expect(ocspResponseOf(whole)).to.equal(whole)
  })

  it('is refused of bytes that are not DER', () => {
    expectRefusal('signatureNotParsed', 'notDer', () => ocspResponseOf(Buffer.from('x')))
  })

  it('is accepted by openssl ocsp', () => {
    const files = {
      response: whole,
      'signer.pem': person.certificatePem,
      'issuer.pem': pem('CERTIFICATE', person.issuer),
      'trust.pem': authorities.anchors.map((der) => pem('CERTIFICATE', der)).join(''),
    }
    const args =
      '-respin response -sha256 -issuer issuer.pem -cert signer.pem -no_nonce -CAfile trust.pem -verify_other issuer.pem'
    const said = openssl(`ocsp ${args}`, files, ({ output }) => output)
    expect(said)
      .to.match(/Response verify OK/)
      .and.to.match(/signer\.pem: good/)
  })
})
