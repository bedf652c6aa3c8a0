import type { DevAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { buildOcspRequest } from '#verifier/status/ocsp-request.js'
import { readOcspResponse } from '#verifier/status/ocsp-response.js'
import { responderOfAny } from '#verifier/status/responder-of-any.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { MINUTE, NOW, testAuthorities } from '../../support/pki/authorities.js'
import { impostorAuthorities } from '../../support/pki/strangers.js'
import { trustOf } from '../../support/pki/trust.js'
import { reasonOf } from '../../support/refusal.js'

describe('the responder of any authority', () => {
  const authorities = testAuthorities()
  const nonce = Buffer.from('4001020304050607', 'hex')
  const context = { trust: trustOf(authorities), now: NOW, nonce }
  function asked(issuer: 'rsa' | 'ecdsa', of: DevAuthorities = authorities): Uint8Array {
    const person = of.person({ issuer })
    const certificate = Certificate.parse(person.certificate)
    const request = buildOcspRequest({ certificate, issuer: Certificate.parse(person.issuer), nonce })
    const { basic } = readOcspResponse(of.ocsp.respond(request))
    if (basic === undefined) throw new Error('There is no response')
    return basic
  }
  const reason = (response: Uint8Array, changes = {}) =>
    reasonOf(() => responderOfAny(response, { ...context, ...changes }))

  it('is found under each authority of the trust', () => {
    const issuers = (['rsa', 'ecdsa'] as const).map((issuer) =>
      responderOfAny(asked(issuer), context).issuer.toString(),
    )
    expect(issuers[0]).to.match(/\(RSA\)/)
    expect(issuers[1]).to.match(/\(ECDSA\)/)
  })

  it('is none that a stranger with the same names has authorised', () => {
    expect(reason(asked('rsa', impostorAuthorities()))).to.match(/^invalidOcspData: /)
  })

  it('is none of an answer to another request, or from the future', () => {
    const other = Buffer.from('4007060504030201', 'hex')
    expect(reason(asked('rsa'), { nonce: other })).to.equal('invalidOcspData: nonceDiffers')
    expect(reason(asked('rsa'), { now: NOW - 2 * MINUTE })).to.equal('invalidOcspData: producedInFuture')
  })

  it('is none where no authority is trusted', () => {
    expect(reason(asked('rsa'), { trust: { anchors: [], intermediates: [] } })).to.equal(
      'invalidOcspData: responderNotFound',
    )
  })
})
