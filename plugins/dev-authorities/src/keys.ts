import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { NULL, oid, sequence } from './der/writer.js'
import { generateGostKey, gostKeyFromPem } from './gost-key.js'
import type { HashName } from './hashes.js'
import { ECDSA_SIGNATURE_OIDS, RSA_SIGNATURE_OIDS } from './oids.js'
import type { SigningKey } from './signing-key.js'

/** Kinds of key that can be generated. RSA 2048 takes about 150 ms, GOST 34.10-2015 a few, the other curves less than one. */
export type KeyKind =
  | 'rsa1024'
  | 'rsa2048'
  | 'rsa3072'
  | 'rsa4096'
  | keyof typeof CURVES
  | 'ed25519'
  | 'ed448'
  | 'gost512'

const CURVES = {
  p256: 'P-256',
  p384: 'P-384',
  p521: 'P-521',
  brainpool256: 'brainpoolP256r1',
  brainpool384: 'brainpoolP384r1',
  brainpool512: 'brainpoolP512r1',
} as const
const isOnCurve = (kind: KeyKind): kind is keyof typeof CURVES => kind in CURVES

/** A new key of that kind. */
export function generateKey(kind: KeyKind): SigningKey {
  if (kind === 'gost512') return generateGostKey()
  if (isOnCurve(kind)) {
    const namedCurve = CURVES[kind]
    return readAgain(generateKeyPairSync('ec', { namedCurve, publicKeyEncoding, privateKeyEncoding }).privateKey)
  }
  // A string because of `encodings`, which the types of these overloads do not express.
  if (kind === 'ed25519') return readAgain(String(generateKeyPairSync(kind, encodings).privateKey))
  if (kind === 'ed448') return readAgain(String(generateKeyPairSync(kind, encodings).privateKey))
  const modulusLength = Number(kind.slice(3))
  return readAgain(generateKeyPairSync('rsa', { modulusLength, publicKeyEncoding, privateKeyEncoding }).privateKey)
}

const publicKeyEncoding = { type: 'spki', format: 'pem' } as const
const privateKeyEncoding = { type: 'pkcs8', format: 'pem' } as const
const encodings = { publicKeyEncoding, privateKeyEncoding }

/**
 * Imports a key from its generated encoding instead of using the generated KeyObject, whose generation job takes the key's lock
 * when it is garbage collected: a deadlock if Node holds that lock at this moment.
 */
const readAgain = (pkcs8: string): SigningKey => signingKey(createPrivateKey(pkcs8))

/** Reads what `toPem` wrote. */
export const keyFromPem = (pem: string): SigningKey => gostKeyFromPem(pem) ?? signingKey(createPrivateKey(pem))

/** Wraps an RSA, ECDSA, Ed25519 or Ed448 private key. */
export function signingKey(privateKey: KeyObject): SigningKey {
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  const toPem = () => String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  if (privateKey.asymmetricKeyType === 'rsa') {
    const signRsa = (data: Uint8Array, hash: HashName) => sign(hash, data, privateKey)
    return {
      family: 'rsa',
      spki,
      toPem,
      hash: 'sha256',
      sign: signRsa,
      signXml: signRsa,
      signatureAlgorithm: (hash) => sequence(algorithm(RSA_SIGNATURE_OIDS, hash), NULL),
      xmlMethod: (hash) => (hash === 'sha1' ? 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' : `${XML_MORE}#rsa-${hash}`),
    }
  }
  if (privateKey.asymmetricKeyType === 'ed25519' || privateKey.asymmetricKeyType === 'ed448') {
    const { hash, oid: dotted } = EDWARDS[privateKey.asymmetricKeyType]
    // PureEdDSA (RFC 8032 5.1) signs the data itself; the digest is the one of the surrounding CMS (RFC 8419 3.1).
    const signEdwards = (data: Uint8Array) => sign(null, data, privateKey)
    return {
      family: 'eddsa',
      spki,
      toPem,
      hash,
      sign: signEdwards,
      signXml: signEdwards,
      signatureAlgorithm: () => sequence(oid(dotted)),
      xmlMethod: () => `http://www.w3.org/2021/04/xmldsig-more#eddsa-${privateKey.asymmetricKeyType}`,
    }
  }
  return {
    family: 'ecdsa',
    spki,
    toPem,
    hash: hashOfCurve(privateKey.asymmetricKeyDetails?.namedCurve),
    sign: (data, hash) => sign(hash, data, privateKey),
    signXml: (data, hash) => sign(hash, data, { key: privateKey, dsaEncoding: 'ieee-p1363' }),
    signatureAlgorithm: (hash) => sequence(algorithm(ECDSA_SIGNATURE_OIDS, hash)),
    xmlMethod: (hash) => `${XML_MORE}#ecdsa-${hash}`,
  }
}

const EDWARDS = {
  ed25519: { oid: '1.3.101.112', hash: 'sha512' },
  ed448: { oid: '1.3.101.113', hash: 'shake256' },
} as const

const XML_MORE = 'http://www.w3.org/2001/04/xmldsig-more'

function algorithm(oids: typeof RSA_SIGNATURE_OIDS, hash: HashName): Buffer {
  const dotted = oids[hash]
  if (dotted === undefined) throw new TypeError(`The key has no signature algorithm with ${hash}`)
  return oid(dotted)
}

function hashOfCurve(curve: string | undefined): HashName {
  if (curve === 'secp384r1' || curve === CURVES.brainpool384) return 'sha384'
  return curve === 'secp521r1' || curve === CURVES.brainpool512 ? 'sha512' : 'sha256'
}
