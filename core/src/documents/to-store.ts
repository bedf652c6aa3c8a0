import type { VerifiedSignature } from '../signatures/index.js'
import type { EmailNotifications } from './schema.js'
import type { NewSignature } from './signature-store.js'
import { digestsToJson } from './signed-digests.js'

/** A verified signature in the form in which it is kept under a document. */
export function toStore(
  verified: VerifiedSignature,
  place: { documentId: string; storedAt: number; emailNotifications?: EmailNotifications | undefined },
): NewSignature {
  const { signature, timeStamp, ocsp, crls, certificates } = verified.evidence
  return {
    documentId: place.documentId,
    storedAt: place.storedAt,
    facts: verified.facts,
    signedDigests: digestsToJson(verified.signedDigests),
    signature,
    timeStamp,
    ocsp,
    crls,
    certificates,
    fingerprint: verified.fingerprint,
    emailNotifications: place.emailNotifications,
  }
}
