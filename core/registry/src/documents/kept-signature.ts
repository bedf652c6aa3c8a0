import type { Digests } from '../originals/index.js'
import { signatureErrors, type VerifiedSignature } from '../signatures/index.js'
import type { DocumentRecord } from './document-store.js'
import { documentErrors } from './errors.js'
import type { EmailNotifications } from './schema.js'
import type { NewSignature } from './signature-record.js'

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
