import { generateKeyPairSync } from 'node:crypto'
import { expect } from 'chai'
import { readAlgorithmIdentifier } from '#verifier/algorithms/algorithm-identifier.js'
import { type AlgorithmPolicy, defaultAlgorithmPolicy, namesDays, requireTrusted } from '#verifier/algorithms/policy.js'
import { publicKey } from '#verifier/algorithms/public-key.js'
import { signatureScheme } from '#verifier/algorithms/signature-scheme.js'
import { readDer } from '#verifier/der/reader.js'
import { buildPath } from '#verifier/path/build-path.js'
import { verify } from '#verifier/verify.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { algorithm, keyPairs, nul, oids, pssWithSha256 } from '../../support/cms-recipe.js'
import { NOW, testAuthorities } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'
import { expectRefusal } from '../../support/refusal.js'

const DAY = 1000
const P256 = '1.2.840.10045.3.1.7'
const P384 = '1.3.132.0.34'
const GOST_512_A = '1.2.398.3.10.1.1.2.2.1'

const keyOf = (pair: { publicKey: (typeof keys)['publicKey'] }) =>
  publicKey(pair.publicKey.export({ type: 'spki', format: 'der' }))
const keys = keyPairs.rsa()
const rsa = keyOf(keys)
const rsa3072 = keyOf(generateKeyPairSync('rsa', { modulusLength: 3072 }))
const p256 = keyOf(keyPairs.p256())
const p384 = keyOf(keyPairs.p384())
const authorities = testAuthorities()
const gost = Certificate.parse(authorities.person({ algorithm: 'gost512' }).certificate).publicKey

const identifier = (der: Uint8Array) => readAlgorithmIdentifier(readDer(der))
const PKCS1 = signatureScheme(identifier(algorithm(oids.sha256WithRsa, nul)), rsa)
const PSS = signatureScheme(identifier(pssWithSha256), rsa)
const ECDSA = signatureScheme(identifier(algorithm(oids.ecdsaWithSha256)), p256)
const GOST = signatureScheme(identifier(algorithm('1.2.398.3.10.1.1.2.3.2')), gost)

/** Trusts everything that the default policy trusts, until days. */
const until = (days: Partial<AlgorithmPolicy>): AlgorithmPolicy => ({ ...defaultAlgorithmPolicy, ...days })

describe('an algorithm policy with days', () => {
  const falls = (
    title: string,
    days: Partial<AlgorithmPolicy>,
    [scheme, key]: readonly [typeof PKCS1, typeof rsa],
    facts: object,
    lasting: readonly (readonly [typeof PKCS1, typeof rsa])[],
  ) =>
    it(title, () => {
      const policy = until(days)
      requireTrusted(policy, scheme, key, DAY - 1)
      const { reason, ...rest } = { reason: '', ...facts }
      for (const at of [DAY, DAY + 1])
        expect(
          expectRefusal('algorithmNotTrusted', reason, () => requireTrusted(policy, scheme, key, at)).details,
        ).to.deep.equal({ reason, ...rest, at, trustedUntil: DAY })
      for (const [other, itsKey] of lasting) requireTrusted(policy, other, itsKey, DAY)
    })

  falls(
    'ends a family of schemes',
    { schemesTrustedUntil: { pkcs1: DAY } },
    [PKCS1, rsa],
    { reason: 'scheme', algorithm: 'pkcs1', oid: oids.sha256WithRsa },
    [
      [PSS, rsa],
      [ECDSA, p256],
    ],
  )
  falls(
    'ends RSA keys of a size, in every scheme',
    { minRsaBitsFrom: { 3072: DAY } },
    [PSS, rsa],
    { reason: 'keySize', key: 'rsa', bits: 2048, least: 3072 },
    [
      [PKCS1, rsa3072],
      [ECDSA, p256],
    ],
  )
  falls(
    'ends keys on a curve',
    { curvesTrustedUntil: { [P256]: DAY } },
    [ECDSA, p256],
    { reason: 'curve', algorithm: 'P-256', oid: P256 },
    [
      [ECDSA, p384],
      [PKCS1, rsa],
    ],
  )
  falls(
    'ends keys on a national curve',
    { curvesTrustedUntil: { [GOST_512_A]: DAY } },
    [GOST, gost],
    { reason: 'curve', algorithm: 'tc26-512-A', oid: GOST_512_A },
    [[ECDSA, p256]],
  )

  it('demands more bits of RSA step by step', () => {
    const policy = until({ minRsaBitsFrom: { 4096: 3 * DAY, 3072: DAY } })
    requireTrusted(policy, PKCS1, rsa, DAY - 1)
    requireTrusted(policy, PKCS1, rsa3072, 3 * DAY - 1)
    const refusal = expectRefusal('algorithmNotTrusted', 'keySize', () =>
      requireTrusted(policy, PKCS1, rsa3072, 3 * DAY),
    )
    expect(refusal.details).to.include({ bits: 3072, least: 4096, trustedUntil: 3 * DAY })
    expect(
      expectRefusal('algorithmNotTrusted', 'keySize', () => requireTrusted(policy, PKCS1, rsa, 4 * DAY)).details,
    ).to.include({ least: 3072, trustedUntil: DAY })
  })

  it('trusts at no time what it trusts until 0', () => {
    for (const days of [{ schemesTrustedUntil: { ecdsa: 0 } }, { curvesTrustedUntil: { [P384]: 0 } }])
      expectRefusal('algorithmNotTrusted', days.schemesTrustedUntil ? 'scheme' : 'curve', () =>
        requireTrusted(until(days), ECDSA, p384, 0),
      )
  })

  it('takes nothing for trusted until a day that is none', () => {
    for (const days of [{ schemesTrustedUntil: { ecdsa: Number.NaN } }, { curvesTrustedUntil: { [P384]: Number.NaN } }])
      expectRefusal('algorithmNotTrusted', days.schemesTrustedUntil ? 'scheme' : 'curve', () =>
        requireTrusted(until(days), ECDSA, p384, 0),
      )
  })

  it('is known to name days, wherever it names them', () => {
    expect(namesDays(defaultAlgorithmPolicy)).to.equal(false)
    expect(namesDays(until({ schemesTrustedUntil: {}, minRsaBitsFrom: {}, curvesTrustedUntil: {} }))).to.equal(false)
    for (const days of [
      { schemesTrustedUntil: { ecdsa: DAY } },
      { minRsaBitsFrom: { 3072: DAY } },
      { curvesTrustedUntil: { [P256]: DAY } },
      { digestsTrustedUntil: { [oids.sha256]: DAY } },
    ])
      expect(namesDays(until(days)), JSON.stringify(days)).to.equal(true)
  })

  it('binds certificates at the moment of judging, not at that of the path', () => {
    const trust = trustOf(authorities)
    const leaf = Certificate.parse(authorities.person().certificate)
    for (const days of [{ curvesTrustedUntil: { [P256]: NOW + DAY } }, { schemesTrustedUntil: { ecdsa: NOW + DAY } }]) {
      const context = { trust, time: NOW, algorithms: until(days) }
      buildPath(leaf, { ...context, now: NOW + DAY - 1 })
      expectRefusal('algorithmNotTrusted', days.schemesTrustedUntil ? 'scheme' : 'curve', () =>
        buildPath(leaf, { ...context, now: NOW + DAY }),
      )
    }
  })

  it('leaves the verdict on a signature open once its key has fallen', () => {
    const document = Buffer.from('document')
    const cms = authorities.person().signCms(document, { timeStamp: true, ocsp: true })
    const options = {
      trust: trustOf(authorities),
      document,
      algorithms: until({ curvesTrustedUntil: { [P256]: NOW + DAY } }),
    }
    expect(verify(cms, { ...options, at: NOW + DAY - 1 }).indication).to.equal('TOTAL-PASSED')
    const { indication, subIndication } = verify(cms, { ...options, at: NOW + DAY })
    expect([indication, subIndication]).to.deep.equal(['INDETERMINATE', 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE'])
  })
})
