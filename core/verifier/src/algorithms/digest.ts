import { createHash, hash } from 'node:crypto'
import { signatureErrors } from '../errors.js'
import * as gost from './gost/hashes.js'

/** A running digest. */
export interface Hasher {
  update(bytes: Uint8Array): Hasher
  digest(): Buffer
}

/** A known digest algorithm; `policy.ts` says whether it is trusted. */
export interface DigestAlgorithm {
  readonly oid: string
  readonly name: string
  /** Octets of the digest. */
  readonly length: number
  /** URIs that name it in XML signatures. */
  readonly xmlUris: readonly string[]
  /** False for broken ones, which are known so that they can be refused by name. */
  readonly trusted: boolean
  /** Required parameters of its AlgorithmIdentifier, DER; left out where they are NULL or absent. */
  readonly parameters?: Uint8Array
  /** Name for `node:crypto`; absent for our own implementations and where a name is not enough. */
  readonly nodeName?: string
  create(): Hasher
}

const XMLENC = 'http://www.w3.org/2001/04/xmlenc#'
const DSIG_MORE = 'http://www.w3.org/2001/04/xmldsig-more#'
const DSIG_MORE_2007 = 'http://www.w3.org/2007/05/xmldsig-more#'
const NIST_HASHES = '2.16.840.1.101.3.4.2'

const byNode = (
  oid: string,
  name: string,
  length: number,
  nodeName: string,
  xmlUri: string,
  trusted = true,
): DigestAlgorithm => ({
  oid,
  name,
  length,
  nodeName,
  xmlUris: [xmlUri],
  trusted,
  create: () => createHash(nodeName),
})

/** SHAKE256 with 512 bits, which goes with Ed448 (RFC 8419, 2.2 and 3.1): `id-shake256-len` with its length. */
const SHAKE256_512: DigestAlgorithm = {
  oid: `${NIST_HASHES}.18`,
  name: 'SHAKE256-512',
  length: 64,
  xmlUris: [],
  trusted: true,
  parameters: Uint8Array.of(0x02, 0x02, 0x02, 0x00),
  create: () => createHash('shake256', { outputLength: 64 }),
}

const NATIONAL_HASHES = '1.2.398.3.10.1.3'
const NATIONAL_XML = 'urn:ietf:params:xml:ns:pkigovkz:xmlsec:algorithms:'

const byGost = (
  oid: string,
  name: string,
  length: number,
  xmlUri: string,
  create: () => gost.Hasher,
): DigestAlgorithm => ({
  oid,
  name,
  length,
  xmlUris: [xmlUri],
  trusted: true,
  create: () => inBuffer(create()),
})

/** Our own implementations run in browsers too, which have no Buffer. */
function inBuffer(inner: gost.Hasher): Hasher {
  const hasher: Hasher = {
    update(bytes) {
      inner.update(bytes)
      return hasher
    },
    digest: () => Buffer.from(inner.digest()),
  }
  return hasher
}

const ALGORITHMS: readonly DigestAlgorithm[] = [
  byNode('1.2.840.113549.2.5', 'MD5', 16, 'md5', `${DSIG_MORE}md5`, false),
  byNode('1.3.14.3.2.26', 'SHA-1', 20, 'sha1', 'http://www.w3.org/2000/09/xmldsig#sha1', false),
  byNode(`${NIST_HASHES}.4`, 'SHA-224', 28, 'sha224', `${DSIG_MORE}sha224`),
  byNode(`${NIST_HASHES}.1`, 'SHA-256', 32, 'sha256', `${XMLENC}sha256`),
  byNode(`${NIST_HASHES}.2`, 'SHA-384', 48, 'sha384', `${DSIG_MORE}sha384`),
  byNode(`${NIST_HASHES}.3`, 'SHA-512', 64, 'sha512', `${XMLENC}sha512`),
  byNode(`${NIST_HASHES}.7`, 'SHA3-224', 28, 'sha3-224', `${DSIG_MORE_2007}sha3-224`),
  byNode(`${NIST_HASHES}.8`, 'SHA3-256', 32, 'sha3-256', `${DSIG_MORE_2007}sha3-256`),
  byNode(`${NIST_HASHES}.9`, 'SHA3-384', 48, 'sha3-384', `${DSIG_MORE_2007}sha3-384`),
  byNode(`${NIST_HASHES}.10`, 'SHA3-512', 64, 'sha3-512', `${DSIG_MORE_2007}sha3-512`),
  SHAKE256_512,
  byGost(`${NATIONAL_HASHES}.3`, 'Streebog-512', 64, `${NATIONAL_XML}gostr34112015-512`, gost.streebog512),
  byGost(`${NATIONAL_HASHES}.2`, 'Streebog-256', 32, `${NATIONAL_XML}gostr34112015-256`, gost.streebog256),
  byGost(`${NATIONAL_HASHES}.1`, 'GOST 34.311-95', 32, `${DSIG_MORE}gost34311`, gost.gost34311),
]

const BY_OID = new Map(ALGORITHMS.map((algorithm) => [algorithm.oid, algorithm]))
const BY_XML_URI = new Map(ALGORITHMS.flatMap((algorithm) => algorithm.xmlUris.map((uri) => [uri, algorithm] as const)))

/** Every digest algorithm that is known, trusted or not. */
export const digestAlgorithms: readonly DigestAlgorithm[] = ALGORITHMS

/** Required parameters of a digest's AlgorithmIdentifier; `undefined` where they are NULL or absent. */
export const digestParameters = (oid: string): Uint8Array | undefined => BY_OID.get(oid)?.parameters

/** The digest algorithm of an OID; throws `digestAlgorithmNotSupported`. */
export function digestAlgorithm(oid: string): DigestAlgorithm {
  const algorithm = BY_OID.get(oid)
  if (algorithm === undefined) throw signatureErrors.error('digestAlgorithmNotSupported', { reason: 'unknown', oid })
  return algorithm
}

/** The digest algorithm of an XML `DigestMethod` URI; throws `digestAlgorithmNotSupported`. */
export function xmlDigestAlgorithm(uri: string): DigestAlgorithm {
  const algorithm = BY_XML_URI.get(uri)
  if (algorithm === undefined) throw signatureErrors.error('digestAlgorithmNotSupported', { reason: 'unknown', uri })
  return algorithm
}

/** The digest of the concatenated parts. */
export function digest(oid: string, ...parts: Uint8Array[]): Buffer {
  const { nodeName, create } = digestAlgorithm(oid)
  const [only, more] = parts
  // The one-shot function instead of three calls: evidence is short and hashed often. As a string, since allocating the
  // output buffer in native code costs as much as the digest.
  if (nodeName !== undefined && only !== undefined && more === undefined)
    return Buffer.from(hash(nodeName, only, 'binary'), 'binary')
  const hasher = create()
  for (const part of parts) hasher.update(part)
  return hasher.digest()
}
