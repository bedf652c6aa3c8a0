import { pem } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { NOW, testAuthorities } from '../../../support/pki/authorities.js'
import { openssl } from '../../../support/pki/openssl.js'

const DATA = Buffer.from('document')

describe('dev-authorities: CMS', () => {
  const authorities = testAuthorities()
  const trust = [...authorities.anchors, ...authorities.intermediates].map((der) => pem('CERTIFICATE', der)).join('')
  const verify = `cms -verify -attime ${NOW / 1000} -CAfile trust.pem -inform DER -in s.p7s`
  const attributes = (cms: Buffer) =>
    openssl('cms -cmsout -print -inform DER -in s.p7s', { 's.p7s': cms }, ({ output }) => output)

  for (const algorithm of ['rsa2048', 'p256', 'p384', 'p521'] as const) {
    it(`signs with ${algorithm}, detached, so that OpenSSL verifies it`, () => {
      const cms = authorities.person({ algorithm }).signCms(DATA)
      const files = { 'trust.pem': trust, 's.p7s': cms, data: DATA }
      openssl(`${verify} -content data`, files, ({ ok, output }) => expect(ok, output).equal(true))
      openssl(verify, files, ({ ok }) => expect(ok).equal(false))
    })
  }

  it('carries the data when asked to', () => {
    const cms = authorities.employee().signCms(DATA, { detached: false })
    openssl(`${verify} -out found`, { 'trust.pem': trust, 's.p7s': cms }, ({ file }) =>
      expect(file('found')).deep.equal(DATA),
    )
  })

  it('signs content type, signing time, digest and signing certificate', () => {
    const text = attributes(authorities.person().signCms(DATA))
    for (const name of ['contentType', 'signingTime', 'messageDigest', 'id-smime-aa-signingCertificateV2']) {
      expect(text).contain(`object: ${name} `)
    }
    expect(text).contain('unsignedAttrs:\n          <ABSENT>')
  })

  it('carries a time stamp over the signature value and an OCSP answer when asked to', () => {
    const text = attributes(authorities.person().signCms(DATA, { timeStamp: true, ocsp: true }))
    expect(text).contain('object: id-smime-aa-timeStampToken ')
    expect(text).contain('object: id-smime-aa-ets-revocationValues ')
  })

  it('lets attributes be dropped, doubled and replaced', () => {
    const person = authorities.person()
    const dropped = person.signCms(DATA, { signedAttributes: (honest) => honest.filter((_, at) => at !== 1) })
    expect(attributes(dropped)).not.contain('object: signingTime ')
    const doubled = person.signCms(DATA, { signedAttributes: (honest) => [...honest, ...honest] })
    expect(attributes(doubled).match(/object: messageDigest /g)).have.length(2)
    expect(attributes(person.signCms(DATA, { signedAttributes: () => [] }))).contain('signedAttrs:\n          <ABSENT>')
  })
})
