import { expect } from 'chai'
import { utc } from '#verifier/report/utc.js'
import { reportOf } from '#verifier/report.js'
import { type VerifyOptions, verify } from '#verifier/verify.js'
import { Crl } from '#verifier/x509/crl.js'
import { DAY, NOW, testAuthorities } from '../support/pki/authorities.js'
import { trustOf } from '../support/pki/trust.js'

const TEXT = Buffer.from('a contract')

describe('the report of a verdict', () => {
  const authorities = testAuthorities()
  const trust = { ...trustOf(authorities), crls: [Crl.parse(authorities.crl('ecdsa'))] }
  const signer = authorities.person()
  const report = (signed: Uint8Array | string, options: Partial<VerifyOptions> = {}) => {
    const made = reportOf(verify(signed, { trust, at: NOW, document: TEXT, ...options }))
    // What is kept is what JSON keeps of it.
    return JSON.parse(JSON.stringify(made))
  }

  it('names what was checked, in which order, as of when, and with which sources', () => {
    const { signatures, rules, ...rest } = report(signer.signCms(TEXT, { timeStamp: true, ocsp: true }))
    const at = utc(NOW)
    expect(at).to.equal('2026-06-01T12:00:00+00:00')
    expect(rest).to.deep.equal({
      ...{ version: 2, language: 'en', at, outcome: 'proved', indication: 'TOTAL-PASSED', files: [], documents: [] },
      says: 'Proved: every signature is valid, and every document is signed.',
    })
    expect(rules).to.deep.include({ verifier: '@signed-registry/verifier', rules: 'signed-registry/rules/1' })
    expect(rules.algorithms).to.include({ minRsaBits: '2048', minDsaBits: 'Infinity' })
    const [one] = signatures
    expect(Object.keys(one)).to.have.members([
      ...[
        'indication',
        'conclusion',
        'document',
        'missing',
        'time',
        'existedAt',
        'signType',
        'signAlgorithm',
        'digests',
        'signer',
      ],
      ...['timeStamp', 'path', 'status', 'checks', 'finding', 'says', 'over', 'coverage', 'person'],
      ...['ignoredAttributes', 'unasked', 'unused'],
    ])
    expect(one).to.include({ indication: 'TOTAL-PASSED', conclusion: 'validAt', document: 'matches', time: at })
    expect(one.checks.map(({ check, outcome }: Record<string, string>) => `${check} ${outcome}`)).to.deep.equal(
      [
        'document',
        'signatureValue',
        'algorithms',
        'signerUsage',
        'signingCertificate',
        'timeStamp',
        'path',
        'status',
      ].map((check) => `${check} passed`),
    )
    expect(one.checks.every((check: { at: string }) => check.at === at)).to.equal(true)
    expect(one.timeStamp).to.include({ genTime: at })
    expect(one.status).to.include({ source: 'ocsp', thisUpdate: at })
    expect(one.path).to.have.length(3)
    expect(one.signer.sha256).to.match(/^[0-9a-f]{64}$/)
  })

  it('names CRLs, and what is missing', () => {
    const [one] = report(signer.signCms(TEXT)).signatures
    expect(one).to.deep.include({ conclusion: 'validNow', missing: ['timeStamp', 'chainStatus'] })
    expect(one.status).to.include({ source: 'crl' })
    expect(one.status.crls[0]).to.include.keys('issuer', 'thisUpdate', 'sha256')
  })

  it('names the refusal, and what was looked at before it', () => {
    const late = report(signer.signCms(TEXT), { at: NOW + 400 * DAY })
    expect(late).to.include({ indication: 'INDETERMINATE', subIndication: 'OUT_OF_BOUNDS_NO_POE' })
    const [one] = late.signatures
    expect(one.refusal).to.deep.include({ code: 'signerCertificateNotValidNow' })
    expect(one.refusal.details).to.include({ reason: 'expired' }).and.not.to.have.property('checks')
    expect(one.checks.at(-1)).to.include({ check: 'path', outcome: 'failed', reason: 'expired' })
    expect(report('rubbish').signatures[0]).to.deep.include({
      conclusion: 'refused',
      path: [],
      digests: [],
      checks: [],
    })
  })
})
