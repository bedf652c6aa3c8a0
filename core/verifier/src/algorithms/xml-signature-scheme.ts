import { signatureErrors } from '../errors.js'
import { type DigestAlgorithm, digestAlgorithm } from './digest.js'
import type { PublicKey, SignatureScheme } from './key.js'
import type { PssParameters } from './pss-parameters.js'
import type { SchemeFamily } from './signature-algorithms.js'
import { requireFit } from './signature-scheme.js'

const MORE = 'http://www.w3.org/2001/04/xmldsig-more#'
const MORE_2007 = 'http://www.w3.org/2007/05/xmldsig-more#'
const MORE_2021 = 'http://www.w3.org/2021/04/xmldsig-more#'
const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
const DSIG11 = 'http://www.w3.org/2009/xmldsig11#'
const RSASSA_PSS = '1.2.840.113549.1.1.10'
const MD5 = '1.2.840.113549.2.5'
const SHA1 = '1.3.14.3.2.26'
const NIST = '2.16.840.1.101.3.4'
const NATIONAL = '1.2.398.3.10.1'
const NATIONAL_XML = 'urn:ietf:params:xml:ns:pkigovkz:xmlsec:algorithms:'
const [SHA224, SHA256, SHA384, SHA512] = [`${NIST}.2.4`, `${NIST}.2.1`, `${NIST}.2.2`, `${NIST}.2.3`]
type Row = readonly [uri: string, family: SchemeFamily, oid: string, digest: string]

/** SignatureMethod URIs (RFC 9231) with the equivalent algorithm of CMS and X.509. */
const ALGORITHMS: readonly Row[] = [
  [`${MORE}rsa-md5`, 'pkcs1', '1.2.840.113549.1.1.4', MD5],
  [`${DSIG}rsa-sha1`, 'pkcs1', '1.2.840.113549.1.1.5', SHA1],
  [`${MORE}rsa-sha224`, 'pkcs1', '1.2.840.113549.1.1.14', SHA224],
  [`${MORE}rsa-sha256`, 'pkcs1', '1.2.840.113549.1.1.11', SHA256],
  [`${MORE}rsa-sha384`, 'pkcs1', '1.2.840.113549.1.1.12', SHA384],
  [`${MORE}rsa-sha512`, 'pkcs1', '1.2.840.113549.1.1.13', SHA512],
  [`${DSIG}dsa-sha1`, 'dsa', '1.2.840.10040.4.3', SHA1],
  [`${DSIG11}dsa-sha256`, 'dsa', `${NIST}.3.2`, SHA256],
  [`${MORE}ecdsa-sha1`, 'ecdsa', '1.2.840.10045.4.1', SHA1],
  [`${MORE}ecdsa-sha224`, 'ecdsa', '1.2.840.10045.4.3.1', SHA224],
  [`${MORE}ecdsa-sha256`, 'ecdsa', '1.2.840.10045.4.3.2', SHA256],
  [`${MORE}ecdsa-sha384`, 'ecdsa', '1.2.840.10045.4.3.3', SHA384],
  [`${MORE}ecdsa-sha512`, 'ecdsa', '1.2.840.10045.4.3.4', SHA512],
  [`${MORE_2021}eddsa-ed25519`, 'ed25519', '1.3.101.112', SHA512],
  [`${MORE_2021}eddsa-ed448`, 'ed448', '1.3.101.113', `${NIST}.2.18`],
  ...['224', '256', '384', '512'].map(
    (size, i): Row => [`${MORE_2021}ecdsa-sha3-${size}`, 'ecdsa', `${NIST}.3.${9 + i}`, `${NIST}.2.${7 + i}`],
  ),
  ...['224', '256', '384', '512'].map(
    (size, i): Row => [`${MORE_2007}sha3-${size}-rsa-MGF1`, 'pss', RSASSA_PSS, `${NIST}.2.${7 + i}`],
  ),
  [`${MORE_2007}sha1-rsa-MGF1`, 'pss', RSASSA_PSS, SHA1],
  [`${MORE_2007}sha224-rsa-MGF1`, 'pss', RSASSA_PSS, SHA224],
  [`${MORE_2007}sha256-rsa-MGF1`, 'pss', RSASSA_PSS, SHA256],
  [`${MORE_2007}sha384-rsa-MGF1`, 'pss', RSASSA_PSS, SHA384],
  [`${MORE_2007}sha512-rsa-MGF1`, 'pss', RSASSA_PSS, SHA512],
  [`${NATIONAL_XML}gostr34102015-gostr34112015-512`, 'gost2015', `${NATIONAL}.1.2.3.2`, `${NATIONAL}.3.3`],
  [`${NATIONAL_XML}gostr34102015-gostr34112015-256`, 'gost2015', `${NATIONAL}.1.2.3.1`, `${NATIONAL}.3.2`],
  [`${MORE}gost34310-gost34311`, 'gost2004', `${NATIONAL}.1.1.2`, `${NATIONAL}.3.1`],
]

const BY_URI = new Map(ALGORITHMS.map((row) => [row[0], row]))
const PSS_WITH_PARAMETERS = `${MORE_2007}rsa-pss`

/**
 * Resolves an XML SignatureMethod for a key. `pss` are the parameters of `…#rsa-pss` (RFC 9231, 2.3.9) in the document. Throws `signatureAlgorithmNotSupported`.
 */
export function xmlSignatureScheme(uri: string, key: PublicKey, pss?: PssParameters): SignatureScheme {
  const scheme = readXmlSignatureScheme(uri, pss)
  requireFit(scheme, key)
  return scheme
}

/** Resolves an XML SignatureMethod without a key. Throws `signatureAlgorithmNotSupported`. */
export function readXmlSignatureScheme(uri: string, pss: PssParameters | undefined): SignatureScheme {
  if (uri === PSS_WITH_PARAMETERS) {
    const parameters = pss ?? mgf1With(digestAlgorithm(SHA256))
    return { oid: RSASSA_PSS, family: 'pss', digest: parameters.digest, pss: parameters }
  }
  const row = BY_URI.get(uri)
  if (row === undefined || pss !== undefined)
    throw signatureErrors.error('signatureAlgorithmNotSupported', { reason: 'unknown', uri })
  const [, family, oid, digestOid] = row
  const digest = digestAlgorithm(digestOid)
  return { oid, family, digest, raw: true, ...(family === 'pss' ? { pss: mgf1With(digest) } : {}) }
}

const mgf1With = (digest: DigestAlgorithm): PssParameters => ({ digest, mgfDigest: digest, saltLength: digest.length })
