import { children, contents, readDer } from '@signed-registry/verifier'
import {
  boolean,
  explicit,
  ia5String,
  implicit,
  integer,
  NULL,
  namedBits,
  octetString,
  oid,
  sequence,
} from '../der/writer.js'
import { digest } from '../hashes.js'
import { KEY_STORAGE, KEY_STORAGE_PKCS12, OCSP } from '../oids.js'

/** One extension; `value` is the DER inside the OCTET STRING. */
export interface Extension {
  readonly oid: string
  readonly critical: boolean
  readonly value: Buffer
}

export const encodeExtension = ({ oid: type, critical, value }: Extension): Buffer =>
  sequence(oid(type), ...(critical ? [boolean(true)] : []), octetString(value))

const plain = (type: string, value: Buffer): Extension => ({ oid: type, critical: false, value })
const critical = (type: string, value: Buffer): Extension => ({ oid: type, critical: true, value })

/** Names of RFC 5280 4.2.1.3, in the order of their bits. */
const KEY_USAGES = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
] as const
export type KeyUsage = (typeof KEY_USAGES)[number]

export const keyUsage = (usages: readonly KeyUsage[]) =>
  critical('2.5.29.15', namedBits(usages.map((usage) => KEY_USAGES.indexOf(usage))))

export const basicConstraints = (ca: boolean, pathLength?: number) =>
  critical(
    '2.5.29.19',
    sequence(...(ca ? [boolean(true)] : []), ...(pathLength === undefined ? [] : [integer(pathLength)])),
  )

export const extendedKeyUsage = (purposes: readonly string[], isCritical = false): Extension => ({
  oid: '2.5.29.37',
  critical: isCritical,
  value: sequence(...purposes.map(oid)),
})

/** `qualifiers` are types of PolicyQualifierInfo, each with a text (RFC 5280 4.2.1.4). */
export const certificatePolicies = (
  policies: readonly string[],
  { qualifiers = [], isCritical = false }: { qualifiers?: readonly string[]; isCritical?: boolean } = {},
): Extension => {
  const infos = qualifiers.map((type) => sequence(oid(type), ia5String('http://policy.dev-authorities.invalid/')))
  const qualified = infos.length === 0 ? [] : [sequence(...infos)]
  const value = sequence(...policies.map((policy) => sequence(oid(policy), ...qualified)))
  return { oid: '2.5.29.32', critical: isCritical, value }
}

/** The public key inside a SubjectPublicKeyInfo, without the count of unused bits. */
export function publicKeyBits(spki: Uint8Array): Uint8Array {
  const [, bits] = children(readDer(spki))
  if (bits === undefined) throw new TypeError('Not a SubjectPublicKeyInfo')
  return contents(bits).subarray(1)
}

/** SHA-1 of the public key bits (RFC 5280 4.2.1.2, method 1). */
export const keyIdentifier = (spki: Uint8Array): Buffer => digest('sha1', publicKeyBits(spki))

export const subjectKeyIdentifier = (spki: Uint8Array) => plain('2.5.29.14', octetString(keyIdentifier(spki)))
export const authorityKeyIdentifier = (issuerSpki: Uint8Array) =>
  plain('2.5.29.35', sequence(implicit(0, octetString(keyIdentifier(issuerSpki)))))

const uri = (address: string) => implicit(6, ia5String(address))

/** rfc822Name. */
export const emailAddress = (email: string) => plain('2.5.29.17', sequence(implicit(1, ia5String(email))))

/** dNSName and iPAddress (octets) of a server. */
export const serverNames = (hosts: readonly string[], addresses: readonly Uint8Array[]) =>
  plain(
    '2.5.29.17',
    sequence(
      ...hosts.map((host) => implicit(2, ia5String(host))),
      ...addresses.map((address) => implicit(7, octetString(address))),
    ),
  )

export const crlDistributionPoint = (address: string) =>
  plain('2.5.29.31', sequence(sequence(explicit(0, explicit(0, uri(address))))))

export const ocspAddress = (address: string) =>
  plain('1.3.6.1.5.5.7.1.1', sequence(sequence(oid('1.3.6.1.5.5.7.48.1'), uri(address))))

/** National extension: where the private key is kept. */
export const keyStorage = (storage: string = KEY_STORAGE_PKCS12) => plain(KEY_STORAGE, sequence(oid(storage)))

/** The responder's own certificate is not to be asked about (RFC 6960 4.2.2.2.1). */
export const ocspNoCheck = () => plain(OCSP.noCheck, NULL)
