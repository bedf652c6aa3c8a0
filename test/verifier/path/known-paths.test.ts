import { expect } from 'chai'
import { defaultAlgorithmPolicy } from '#verifier/algorithms/policy.js'
import { buildPath } from '#verifier/path/build-path.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { DAY, NOW, testAuthorities } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'
import { refusalOf } from '../../support/refusal.js'

describe('a path that was found before', () => {
  const authorities = testAuthorities()
  const trust = trustOf(authorities)
  const leaf = () => Certificate.parse(authorities.person().certificate)

  it('is found again without a new search', () => {
    const certificate = leaf()
    const path = buildPath(certificate, { trust, time: NOW })
    expect(buildPath(certificate, { trust, time: NOW + 1 })).to.equal(path)
  })
  it('is not reused for a time outside its validity', () => {
    const certificate = leaf()
    buildPath(certificate, { trust, time: NOW })
    for (const time of [certificate.notBefore - 1, certificate.notAfter + 1, NOW + 10_000 * DAY])
      expect(refusalOf(() => buildPath(certificate, { trust, time })).code).to.be.a('string')
  })
  it('is not reused under another trust, other purposes or another algorithm policy', () => {
    const certificate = leaf()
    const path = buildPath(certificate, { trust, time: NOW })
    refusalOf(() => buildPath(certificate, { trust: { anchors: [], intermediates: [] }, time: NOW }))
    refusalOf(() => buildPath(certificate, { trust, time: NOW, purposes: ['1.3.6.1.5.5.7.3.9'] }))
    const strict = { ...defaultAlgorithmPolicy, minRsaBits: 100_000 }
    refusalOf(() =>
      buildPath(certificate, {
        trust,
        time: NOW,
        algorithms: { ...strict, digestsTrustedUntil: { '2.16.840.1.101.3.4.2.1': 0 } },
      }),
    )
    expect(buildPath(certificate, { trust: { ...trust }, time: NOW })).not.to.equal(path)
  })
})
