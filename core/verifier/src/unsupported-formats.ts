import { fieldsOf, INTEGER, SEQUENCE } from './der/fields.js'
import { readSmallInteger } from './der/integer.js'
import { children, DerError, readDer } from './der/reader.js'
import { signatureErrors } from './errors.js'

/** Magic number of ZIP, and so of ASiC containers. */
const ZIP = 'PK\u0003\u0004'
const JSON_OBJECT = /^\s*\{\s*"/
const COMPACT_JWS = /^\s*eyJ[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*\./
const MAX_START_LENGTH = 4096

/** Recognizes well-known formats that are not supported here; throws `signatureNotParsed` with their name. */
export function refuseOtherFormat(signed: Uint8Array | string): void {
  const reason = otherFormat(signed)
  if (reason !== undefined) throw signatureErrors.error('signatureNotParsed', { reason })
}

/** A well-known format that is no CMS and no XML. */
export function otherFormat(signed: Uint8Array | string): 'pdf' | 'asic' | 'jades' | 'evidenceRecord' | undefined {
  const start = startOf(signed)
  if (start.startsWith('%PDF-')) return 'pdf'
  if (start.startsWith(ZIP)) return 'asic'
  if (JSON_OBJECT.test(start) || COMPACT_JWS.test(start)) return 'jades'
  return signed instanceof Uint8Array && isEvidenceRecord(signed) ? 'evidenceRecord' : undefined
}

const startOf = (signed: Uint8Array | string): string =>
  typeof signed === 'string'
    ? signed.slice(0, MAX_START_LENGTH)
    : Buffer.from(signed.buffer, signed.byteOffset, Math.min(signed.length, MAX_START_LENGTH)).toString('latin1')

/** EvidenceRecord (RFC 4998, 4.1): version 1, then a list of digest algorithms. A ContentInfo begins with an identifier. */
function isEvidenceRecord(bytes: Uint8Array): boolean {
  try {
    const fields = fieldsOf(readDer(bytes))
    return (
      fields.tag === INTEGER &&
      readSmallInteger(fields.take(INTEGER)) === 1 &&
      children(fields.take(SEQUENCE)).every(({ tag }) => tag === SEQUENCE)
    )
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}
