import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { Certificate, isNotDer } from '../signatures/index.js'
import { organizationErrors } from './errors.js'

const MAX_PEM = 16 * 1024
const ONE_BLOCK = /^\s*-----BEGIN CERTIFICATE-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END CERTIFICATE-----\s*$/
const MIN_RSA_BITS = 2048
/** TLS implementations reject longer keys. */
const MAX_RSA_BITS = 16384
const MIN_EC_BITS = 224

/** SHA-256 of a certificate's public key (SubjectPublicKeyInfo, DER), which identifies the holder across renewals. */
export const keyDigest = (certificate: Certificate): Buffer => createHash('sha256').update(certificate.spki).digest()

/** True when a client certificate of the settings (PEM) has the key of this one (DER). */
export const sameKey = (pem: string, der: Uint8Array): boolean =>
  keyDigest(readTlsCertificate(pem, 'body')).equals(keyDigest(Certificate.parse(der)))

/**
 * Reads a client certificate in PEM: exactly one block and nothing else. Validity period and issuer are not checked.
 * Throws `tlsCertificateNotUsable` with the field and a reason, never with the text, which may be a private key.
 */
export function readTlsCertificate(pem: string, field: string): Certificate {
  const refuse = (reason: string, cause?: unknown) =>
    organizationErrors.error('tlsCertificateNotUsable', { field, reason }, cause)
  if (pem.length > MAX_PEM) throw refuse('tooLarge')
  if (pem.includes('PRIVATE KEY')) throw refuse('privateKey')
  const base64 = ONE_BLOCK.exec(pem)?.[1]?.replace(/[\r\n]/g, '')
  if (base64 === undefined) throw refuse('notOnePemBlock')
  const der = Buffer.from(base64, 'base64')
  if (der.toString('base64') !== base64) throw refuse('notOnePemBlock')
  let certificate: Certificate
  try {
    certificate = Certificate.parse(der)
  } catch (error) {
    if (isNotDer(error)) throw refuse('notParsed', error)
    throw error
  }
  const key = readKey(certificate)
  if (key instanceof Error) throw refuse('notParsed', key)
  if (!isStrong(key, certificate)) throw refuse('weakKey')
  return certificate
}

/** The key of a certificate, or OpenSSL's error, which versions of Node name differently. */
function readKey({ spki }: Certificate): KeyObject | Error {
  try {
    return createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}

function isStrong({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject, { publicKeyBits }: Certificate): boolean {
  if (asymmetricKeyType === 'rsa' || asymmetricKeyType === 'rsa-pss') {
    const bits = asymmetricKeyDetails?.modulusLength ?? 0
    return bits >= MIN_RSA_BITS && bits <= MAX_RSA_BITS
  }
  if (asymmetricKeyType !== 'ec' || asymmetricKeyDetails?.namedCurve === undefined) return false
  // A point is one octet for its form and one or two coordinates (SEC 1, 2.3.3).
  const coordinates = publicKeyBits[0] === 4 ? 2 : 1
  return (8 * (publicKeyBits.length - 1)) / coordinates >= MIN_EC_BITS
}
