import { signatureErrors } from './errors.js'

/** Signatures of other formats by how they begin: a PDF, a ZIP container (ASiC), JSON and the compact form of JWS (JAdES). */
const FORMATS: readonly (readonly [reason: string, start: RegExp])[] = [
  ['pdf', /^%PDF-/],
  ['asic', /^PK\x03\x04/],
  ['jades', /^\s*\{\s*"/],
  ['jades', /^\s*eyJ[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*\./],
]
/** EvidenceRecord (RFC 4998, 4.1): version 1, and then a list of digest algorithms. */
const EVIDENCE_RECORD = /^\x30(?:[\x00-\x7f]|[\x81-\x84][^]{1,4}?)\x02\x01\x01\x30[^]{1,4}?\x30[^]\x06/
const LONGEST_START = 4096

/** Refuses signatures that are well known and not judged here, by name; throws `signatureNotParsed`. */
export function refuseOtherFormat(signed: Uint8Array | string): void {
  const start =
    typeof signed === 'string'
      ? signed.slice(0, LONGEST_START)
      : Buffer.from(signed.buffer, signed.byteOffset, Math.min(signed.length, LONGEST_START)).toString('latin1')
  const found = FORMATS.find(([, pattern]) => pattern.test(start))?.[0]
  const reason = found ?? (EVIDENCE_RECORD.test(start) ? 'evidenceRecord' : undefined)
  if (reason !== undefined) throw signatureErrors.error('signatureNotParsed', { reason })
}
