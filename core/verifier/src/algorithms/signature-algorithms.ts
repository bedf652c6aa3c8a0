/** Families of signature algorithms. */
export type SchemeFamily = 'pkcs1' | 'pss' | 'ecdsa' | 'ed25519' | 'ed448' | 'dsa' | 'gost2015' | 'gost2004'

/** A signature algorithm that names its digest. */
export interface SignatureAlgorithm {
  readonly family: SchemeFamily
  /** OID of the digest. */
  readonly digest: string
  /** Whether parameters may be NULL; otherwise they must be absent. */
  readonly nullAllowed: boolean
}

const MD5 = '1.2.840.113549.2.5'
const SHA1 = '1.3.14.3.2.26'
const NIST_HASHES = '2.16.840.1.101.3.4.2'
const NIST_SIGNATURES = '2.16.840.1.101.3.4.3'
const [SHA256, SHA384, SHA512, SHA224] = [1, 2, 3, 4].map((arc) => `${NIST_HASHES}.${arc}`) as [
  string,
  string,
  string,
  string,
]

// RFC 4055, 5: parameters are NULL, and absent ones must be accepted.
const pkcs1 = (digest: string): SignatureAlgorithm => ({ family: 'pkcs1', digest, nullAllowed: true })
// RFC 5758, 3.1 and 3.2: parameters of DSA and ECDSA with a digest are absent.
const ecdsa = (digest: string): SignatureAlgorithm => ({ family: 'ecdsa', digest, nullAllowed: false })
const dsa = (digest: string): SignatureAlgorithm => ({ family: 'dsa', digest, nullAllowed: false })

// RFC 8410, 3: parameters are absent. The digest is the internal one, which CMS uses for the content too (RFC 8419, 3.1).
const edwards = (family: 'ed25519' | 'ed448', digest: string): SignatureAlgorithm => ({
  family,
  digest,
  nullAllowed: false,
})
const SHAKE256_512 = `${NIST_HASHES}.18`

const NATIONAL = '1.2.398.3.10.1'
const gost = (family: 'gost2015' | 'gost2004', digest: string): SignatureAlgorithm => ({
  family,
  digest: `${NATIONAL}.3.${digest}`,
  nullAllowed: true,
})

/** Signature algorithms by OID, without RSASSA-PSS and bare rsaEncryption, whose OIDs imply no digest. */
export const signatureAlgorithms: ReadonlyMap<string, SignatureAlgorithm> = new Map([
  ['1.2.840.113549.1.1.4', pkcs1(MD5)],
  ['1.2.840.113549.1.1.5', pkcs1(SHA1)],
  ['1.2.840.113549.1.1.11', pkcs1(SHA256)],
  ['1.2.840.113549.1.1.12', pkcs1(SHA384)],
  ['1.2.840.113549.1.1.13', pkcs1(SHA512)],
  ['1.2.840.113549.1.1.14', pkcs1(SHA224)],
  ['1.2.840.10045.4.1', ecdsa(SHA1)],
  ['1.2.840.10045.4.3.1', ecdsa(SHA224)],
  ['1.2.840.10045.4.3.2', ecdsa(SHA256)],
  ['1.2.840.10045.4.3.3', ecdsa(SHA384)],
  ['1.2.840.10045.4.3.4', ecdsa(SHA512)],
  ['1.3.101.112', edwards('ed25519', SHA512)],
  ['1.3.101.113', edwards('ed448', SHAKE256_512)],
  ['1.2.840.10040.4.3', dsa(SHA1)],
  [`${NIST_SIGNATURES}.1`, dsa(SHA224)],
  [`${NIST_SIGNATURES}.2`, dsa(SHA256)],
  ...[0, 1, 2, 3].map((i) => [`${NIST_SIGNATURES}.${9 + i}`, ecdsa(`${NIST_HASHES}.${7 + i}`)] as const),
  ...[0, 1, 2, 3].map((i) => [`${NIST_SIGNATURES}.${13 + i}`, pkcs1(`${NIST_HASHES}.${7 + i}`)] as const),
  [`${NATIONAL}.1.2.3.2`, gost('gost2015', '3')],
  [`${NATIONAL}.1.2.3.1`, gost('gost2015', '2')],
  [`${NATIONAL}.1.1.2`, gost('gost2004', '1')],
])

/** GOST signature algorithms by key algorithm, which the national toolkit writes instead. */
export const gostAlgorithmsByKey: ReadonlyMap<string, string> = new Map([
  [`${NATIONAL}.1.2.2`, `${NATIONAL}.1.2.3.2`],
  [`${NATIONAL}.1.2.1`, `${NATIONAL}.1.2.3.1`],
  [`${NATIONAL}.1.1.1`, `${NATIONAL}.1.1.2`],
])

/** OID of RSA PKCS#1 v1.5 with a digest. */
export const pkcs1AlgorithmOf = (digest: string): string | undefined => PKCS1_BY_DIGEST.get(digest)

const PKCS1_BY_DIGEST = new Map(
  [...signatureAlgorithms].flatMap(([oid, { family, digest }]) => (family === 'pkcs1' ? [[digest, oid] as const] : [])),
)
