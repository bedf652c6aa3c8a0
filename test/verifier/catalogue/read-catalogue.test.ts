import { expect } from 'chai'
import { readAlgorithmIdentifier } from '#verifier/algorithms/algorithm-identifier.js'
import { digestAlgorithm } from '#verifier/algorithms/digest.js'
import {
  defaultAlgorithmPolicy,
  isTrustedDigest,
  namesDays,
  requireTrusted,
  trustedUntil,
} from '#verifier/algorithms/policy.js'
import { publicKey } from '#verifier/algorithms/public-key.js'
import { signatureScheme } from '#verifier/algorithms/signature-scheme.js'
import { etsiCatalogue } from '#verifier/catalogue/etsi-ts-119-312.js'
import { readAlgorithmCatalogue } from '#verifier/catalogue/read-catalogue.js'
import { readDer } from '#verifier/der/reader.js'
import { algorithm, keyPairs, nul, oids, pssWithSha256 } from '../../support/cms-recipe.js'
import { refusalOf } from '../../support/refusal.js'

const SHA_224 = '2.16.840.1.101.3.4.2.4'
const day = (text: string) => Date.parse(text)
const scheme = (der: Uint8Array, key: typeof rsa) => signatureScheme(readAlgorithmIdentifier(readDer(der)), key)
const keyOf = (pair: ReturnType<typeof keyPairs.rsa>) =>
  publicKey(pair.publicKey.export({ type: 'spki', format: 'der' }))
const rsa = keyOf(keyPairs.rsa())
const p256 = keyOf(keyPairs.p256())
const PKCS1 = scheme(algorithm(oids.sha256WithRsa, nul), rsa)
const PSS = scheme(pssWithSha256, rsa)
const ECDSA = scheme(algorithm(oids.ecdsaWithSha256), p256)

const evaluation = (validity: object, ...parameters: readonly object[]) => ({
  Validity: validity,
  Parameter: parameters,
})
const json = (...algorithms: readonly object[]) =>
  JSON.stringify({
    SecuritySuitabilityPolicy: {
      PolicyName: { Name: 'A catalogue' },
      Publisher: { Name: 'Somebody' },
      PolicyIssueDate: '2026-01-01T00:00:00Z',
      Algorithm: algorithms,
    },
  })
const named = (oid: string | readonly string[], ...evaluations: readonly object[]) => ({
  AlgorithmIdentifier: { Name: 'An algorithm', ObjectIdentifier: oid },
  Evaluation: evaluations,
})
const XML = `<?xml version="1.0" encoding="UTF-8"?>
<d:SecuritySuitabilityPolicy xmlns:d="urn:ietf:params:xml:ns:dssc" xmlns:e="http://uri.etsi.org/19322/v1.1.1#" version="1">
  <d:PolicyName><d:Name>A catalogue</d:Name></d:PolicyName>
  <d:Publisher><d:Name>Somebody</d:Name></d:Publisher>
  <d:PolicyIssueDate>2026-01-01T00:00:00Z</d:PolicyIssueDate>
  <d:Algorithm>
    <d:AlgorithmIdentifier><d:Name>RSA</d:Name><d:ObjectIdentifier>1.2.3</d:ObjectIdentifier><d:URI/></d:AlgorithmIdentifier>
    <d:Evaluation>
      <d:Parameter name="moduluslength"><d:Min>1900</d:Min></d:Parameter>
      <d:Validity><d:Start>2020-01-01</d:Start><d:End>2029-01-01+00:00</d:End></d:Validity>
      <e:MoreDetails><d:Recommendation>L</d:Recommendation></e:MoreDetails>
    </d:Evaluation>
    <!-- recommended -->
    <d:Evaluation><d:Parameter name="moduluslength"><d:Min>3000</d:Min></d:Parameter><d:Validity/></d:Evaluation>
  </d:Algorithm>
</d:SecuritySuitabilityPolicy>`

describe('a catalogue of algorithms', () => {
  it('is read from XML (RFC 5698) and from JSON (TS 119 322) alike', () => {
    const rsaAlgorithm = named(
      '1.2.3',
      evaluation({ Start: '2020-01-01', End: '2029-01-01' }, { name: 'moduluslength', Min: 1900 }),
      evaluation({}, { name: 'moduluslength', Min: 3000 }),
    )
    const read = readAlgorithmCatalogue(json(rsaAlgorithm))
    expect(read).to.deep.equal({
      name: 'A catalogue',
      issuedAt: '2026-01-01T00:00:00Z',
      evaluations: {
        '1.2.3': [{ minBits: 1900, from: day('2020-01-01'), until: day('2029-01-01') }, { minBits: 3000 }],
      },
    })
    expect(readAlgorithmCatalogue(XML)).to.deep.equal(read)
  })

  it('takes the larger of two sizes, several identifiers, and nothing that it does not know', () => {
    const { evaluations } = readAlgorithmCatalogue(
      json(
        named(['1.2.3', '1.2.4'], evaluation({}, { name: 'plength', Min: 256 }, { name: 'qlength', Min: 250 })),
        named(
          '1.2.5',
          evaluation({}, { name: 'plength', Min: 256, Max: 512 }),
          evaluation({}, { name: 'rounds', Min: 1 }),
        ),
        named('1.2.3', evaluation({ End: '2030-01-01' })),
      ),
    )
    expect(evaluations).to.deep.equal({
      '1.2.3': [{ minBits: 256 }, { until: day('2030-01-01') }],
      '1.2.4': [{ minBits: 256 }],
      '1.2.5': [],
    })
  })

  it('is refused in another form', () => {
    const reason = (text: string) => {
      const { code, details } = refusalOf(() => readAlgorithmCatalogue(text))
      expect(code).to.equal('algorithmCatalogueNotRead')
      return details?.reason
    }
    expect(reason('')).to.equal('xml')
    expect(reason('{')).to.equal('json')
    expect(reason('{}')).to.equal('policyMissing')
    expect(reason('<SecuritySuitabilityPolicy/>')).to.equal('policyMissing')
    expect(reason(`<!DOCTYPE x [<!ENTITY a "b">]>${XML.slice(XML.indexOf('?>') + 2)}`)).to.equal('xml')
    expect(reason(json())).to.equal('empty')
    expect(reason(json(named('1.2.x', evaluation({}))))).to.equal('objectIdentifier')
    expect(reason(json(named([], evaluation({}))))).to.equal('objectIdentifier')
    expect(reason(json(named('__proto__', evaluation({}))))).to.equal('objectIdentifier')
    expect(reason(json(named('1.2.3', {})))).to.equal('validityMissing')
    expect(reason(json(named('1.2.3', evaluation({ End: '2029' }))))).to.equal('date')
    expect(reason(json(named('1.2.3', evaluation({ End: '2029-13-45' }))))).to.equal('date')
    expect(reason(json(named('1.2.3', evaluation({ End: '2029-02-31' }))))).to.equal('date')
    const many = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)
    const size = { name: 'plength', Min: 1 }
    expect(reason(json(named('1.2.3', evaluation({}, ...many(17, size)))))).to.equal('overLimit')
    expect(reason(json(named('1.2.3', ...many(129, evaluation({})))))).to.equal('overLimit')
    expect(reason(json(...many(129, named('1.2.3', evaluation({})))))).to.equal('overLimit')
    const oids = Array.from({ length: 65 }, (_, index) => `1.2.${index}`)
    expect(reason(json(named(oids, evaluation({}))))).to.equal('overLimit')
    expect(reason(json(named(many(65, '1.2.3'), ...many(129, evaluation({})))))).to.equal('overLimit')
    expect(reason(json(named('1.2.3', evaluation({}, { name: 'plength', Min: '1e9' }))))).to.equal('parameter')
    expect(reason(' '.repeat(4 * 2 ** 20 + 1))).to.equal('tooLarge')
  })
})

describe('a policy with a catalogue', () => {
  const policy = { ...defaultAlgorithmPolicy, evaluations: etsiCatalogue.evaluations }
  const end = day('2029-01-01')
  const refused = (...[given, key, at]: [typeof PKCS1, typeof rsa, number]) => {
    const { code, details } = refusalOf(() => requireTrusted(policy, given, key, at))
    return [code, details?.reason, details?.trustedUntil]
  }

  it('ends what ETSI ends: PKCS #1 v1.5 and RSA of 2048 bits with 2028, SHA-224 too', () => {
    for (const given of [PKCS1, PSS]) {
      requireTrusted(policy, given, rsa, end - 1)
      expect(trustedUntil(policy, given, rsa, end - 1)).to.equal(end)
      expect(refused(given, rsa, end)).to.deep.equal(['algorithmNotTrusted', 'scheme', end])
    }
    expect(isTrustedDigest(policy, digestAlgorithm(SHA_224), end - 1)).to.equal(true)
    expect(isTrustedDigest(policy, digestAlgorithm(SHA_224), end)).to.equal(false)
    expect(namesDays(policy)).to.equal(true)
  })

  it('leaves the rest as it is', () => {
    requireTrusted(policy, ECDSA, p256, day('2060-01-01'))
    expect(trustedUntil(policy, ECDSA, p256, end)).to.equal(Number.POSITIVE_INFINITY)
    for (const sha of ['SHA-1', 'MD5']) {
      const broken = { 'SHA-1': '1.3.14.3.2.26', MD5: '1.2.840.113549.2.5' }[sha] ?? ''
      expect(isTrustedDigest(policy, digestAlgorithm(broken), day('2001-01-01'))).to.equal(false)
    }
  })

  it('ends keys that it lists by what they are, whatever they sign with', () => {
    const keys = { ...defaultAlgorithmPolicy, evaluations: { '1.2.840.113549.1.1.1': [{ minBits: 2048, until: end }] } }
    requireTrusted(keys, PKCS1, rsa, end - 1)
    expect(trustedUntil(keys, PKCS1, rsa, end - 1)).to.equal(end)
    expect(refusalOf(() => requireTrusted(keys, PKCS1, rsa, end)).details).to.include({ reason: 'keySize' })
    requireTrusted(keys, ECDSA, p256, end)
  })

  it('trusts nothing that it lists without saying when, and nothing before a day that it names', () => {
    const never = { ...defaultAlgorithmPolicy, evaluations: { [PKCS1.oid]: [] } }
    expect(refusalOf(() => requireTrusted(never, PKCS1, rsa, end)).details).to.include({ trustedUntil: 0 })
    const later = { ...defaultAlgorithmPolicy, evaluations: { [PKCS1.oid]: [{ from: end }] } }
    expect(refusalOf(() => requireTrusted(later, PKCS1, rsa, end - 1)).details).to.include({ reason: 'scheme' })
    requireTrusted(later, PKCS1, rsa, end)
    const curve = { ...defaultAlgorithmPolicy, evaluations: { '1.2.840.10045.3.1.7': [{ until: end }] } }
    requireTrusted(curve, ECDSA, p256, end - 1)
    expect(refusalOf(() => requireTrusted(curve, ECDSA, p256, end)).details).to.include({ reason: 'curve' })
  })
})
