import { digest as digestByOid } from '@signed-registry/verifier'
import { integer, NULL, oid, sequence } from './der/writer.js'
import { HASH_OIDS } from './oids.js'

/** Digests that keys here sign with; MD5 and SHA-1 exist to be refused by verifiers. */
export type HashName = keyof typeof HASH_OIDS

/** Those that XML signatures have a name for (RFC 9231 2.1). */
export type XmlHashName = Exclude<HashName, 'shake256'>

export const digest = (hash: HashName, data: Uint8Array): Buffer => digestByOid(HASH_OIDS[hash], data)

/** AlgorithmIdentifier of a digest, with the NULL that other software writes too (RFC 5754 2 lets readers meet both). */
export const digestAlgorithm = (hash: HashName): Buffer =>
  sequence(oid(HASH_OIDS[hash]), hash === 'shake256' ? integer(SHAKE_BITS) : NULL)

const SHAKE_BITS = 512

/** DigestMethod of XML signatures. */
export const XML_DIGESTS: Readonly<Record<XmlHashName, string>> = {
  md5: 'http://www.w3.org/2001/04/xmldsig-more#md5',
  sha1: 'http://www.w3.org/2000/09/xmldsig#sha1',
  sha256: 'http://www.w3.org/2001/04/xmlenc#sha256',
  sha384: 'http://www.w3.org/2001/04/xmldsig-more#sha384',
  sha512: 'http://www.w3.org/2001/04/xmlenc#sha512',
  streebog512: 'urn:ietf:params:xml:ns:pkigovkz:xmlsec:algorithms:gostr34112015-512',
}

/** The digest that an OBJECT IDENTIFIER (DER) names, if it is one of ours. */
export const hashOf = (element: Uint8Array): HashName | undefined =>
  (Object.keys(HASH_OIDS) as HashName[]).find((name) => oid(HASH_OIDS[name]).equals(element))
