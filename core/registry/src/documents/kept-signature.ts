import type { Digests } from '../originals/index.js'
import { signatureErrors, type VerifiedSignature } from '../signatures/index.js'
import type { DocumentRecord } from './document-store.js'
import { documentErrors } from './errors.js'
import type { EmailNotifications } from './schema.js'
import type { NewSignature } from './signature-record.js'

/** The first octet of a reference. Evidence is DER, which begins with 0x30. */
const REFERENCE = 0
const NUMBER_BYTES = 4

/** Refuses a signature that does not match the hashes of the document. */
export function assertSigned(signed: Digests, document: Digests): void {
  for (const [algorithm, value] of signed) {
    const known = document.get(algorithm)
    if (known === undefined) throw documentErrors.error('digestsUpdateRequired', { algorithm })
    if (!Buffer.from(known).equals(value)) throw signatureErrors.error('signatureDoesNotCorrespond', { algorithm })
  }
}

/** The signed hashes of a stored signature. */
export const storedDigests = (signedDigests: Readonly<Record<string, string>>): Digests =>
  new Map(Object.entries(signedDigests).map(([oid, value]) => [oid, Buffer.from(value, 'base64')]))

/** Hashes as JSON: base64 by the OID of their algorithm. */
export const digestsToJson = (digests: Digests): Record<string, string> =>
  Object.fromEntries([...digests].map(([oid, value]) => [oid, Buffer.from(value).toString('base64')]))

/** A verified signature as it is stored for a document. */
export const newSignature = (
  { evidence, facts, fingerprint, signedDigests, signerKey, certificateNamed }: VerifiedSignature,
  {
    document,
    storedAt,
    emailNotifications,
  }: {
    document: Pick<DocumentRecord, 'id' | 'storedAt'>
    storedAt: number
    emailNotifications?: EmailNotifications | undefined
  },
): NewSignature => ({
  documentId: document.id,
  documentStoredAt: document.storedAt,
  storedAt,
  emailNotifications,
  facts,
  signedDigests: digestsToJson(signedDigests),
  coverage: evidence.coverage,
  signature: evidence.signature,
  timeStamp: evidence.timeStamp,
  ocsp: evidence.ocsp,
  crls: evidence.crls,
  certificates: evidence.certificates,
  fingerprint,
  signerKey,
  certificateNamed,
})

/** Evidence as it is kept beside its signature: where the signature has it, octet for octet, only where it stands. */
export function keptBeside(signature: Uint8Array, evidence: Uint8Array): Uint8Array {
  const at = bytesOf(signature).indexOf(evidence)
  if (at < 0 || evidence.length === 0) return evidence
  const reference = Buffer.alloc(1 + 2 * NUMBER_BYTES, REFERENCE)
  reference.writeUInt32BE(at, 1)
  reference.writeUInt32BE(evidence.length, 1 + NUMBER_BYTES)
  return reference
}

/** Evidence that was kept beside its signature. A reference to what is not there gives other octets, which prove nothing. */
export function readBeside(signature: Uint8Array, kept: Uint8Array): Uint8Array {
  if (kept[0] !== REFERENCE || kept.length !== 1 + 2 * NUMBER_BYTES) return kept
  const reference = bytesOf(kept)
  const at = reference.readUInt32BE(1)
  return signature.subarray(at, at + reference.readUInt32BE(1 + NUMBER_BYTES))
}

const bytesOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
