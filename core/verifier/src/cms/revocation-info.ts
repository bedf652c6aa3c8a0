import { contextConstructed, fieldsOf, OBJECT_IDENTIFIER, SEQUENCE } from '../der/fields.js'
import { readOid } from '../der/oid.js'
import type { DerElement } from '../der/reader.js'
import { writeElement, writeOid } from '../der/writer.js'
import { ocspResponseOf } from '../status/ocsp-response.js'
import { cmsOids } from './oids.js'

/** RevocationInfoChoice with anything but a CRL: `other [1]` (RFC 5652, 10.2.1). */
export const OTHER_REVOCATION_INFO = contextConstructed(1)

/** The OCSP answer of an `other` RevocationInfoChoice (RFC 5940, 2.1); `undefined` for another format. Throws DerError. */
export function readOcspInfo(element: DerElement): DerElement | undefined {
  const fields = fieldsOf({ ...element, tag: SEQUENCE })
  return readOid(fields.take(OBJECT_IDENTIFIER)) === cmsOids.ocspRevocationInfo ? fields.any() : undefined
}

/** An OCSP answer as RevocationInfoChoice: a full OCSPResponse (RFC 5940, 2.1). Throws DerError for other bytes. */
export const writeOcspInfo = (answer: Uint8Array): Uint8Array =>
  writeElement(OTHER_REVOCATION_INFO, writeOid(cmsOids.ocspRevocationInfo), ocspResponseOf(answer))
