import { ENUMERATED, SEQUENCE } from '../der/fields.js'
import { integerBytes, readSmallInteger } from '../der/integer.js'
import { type DerElement, DerError, readDer, readElement } from '../der/reader.js'
import { readGeneralizedTime, readTime } from '../der/time.js'
import { extensionOids as oids } from './extension-oids.js'
import { type ExtensionTable, readExtensionTable } from './extension-table.js'

/** CRLReason (RFC 5280 section 5.3.1) by number; 7 is not used. */
const reasons = [
  'unspecified',
  'keyCompromise',
  'cACompromise',
  'affiliationChanged',
  'superseded',
  'cessationOfOperation',
  'certificateHold',
  undefined,
  'removeFromCRL',
  'privilegeWithdrawn',
  'aACompromise',
] as const

export type RevocationReason = Exclude<(typeof reasons)[number], undefined>

/** Whether a reason means that the key is compromised. */
export const isCompromise = (reason: RevocationReason | undefined): boolean =>
  reason === 'keyCompromise' || reason === 'cACompromise' || reason === 'aACompromise'

/** Reasons that do not affect earlier signatures. An absent reason means `unspecified`, which may be any. */
const HARMLESS: ReadonlySet<RevocationReason> = new Set(['affiliationChanged', 'superseded', 'cessationOfOperation'])

/** Whether, after a revocation for this reason, somebody else may have the key and backdate signatures. */
export const isKeyInDoubt = (reason: RevocationReason | undefined): boolean =>
  reason === undefined || !HARMLESS.has(reason)

/** One entry of a CRL. */
export interface RevokedEntry {
  /** Milliseconds since the epoch. */
  readonly revokedAt: number
  readonly reason: RevocationReason
  /** When the key is thought to have been compromised, if the entry says so. */
  readonly invalidSince: number | undefined
}

const processed: ReadonlySet<string> = new Set([oids.reasonCode, oids.invalidityDate, oids.certificateIssuer])

/** Content octets of the serial number of an entry. */
export function entrySerial(entry: DerElement): Uint8Array {
  if (entry.tag !== SEQUENCE) throw new DerError('CRL entry is not a sequence')
  return integerBytes(readElement(entry.source, entry.content, entry.end))
}

/** Extensions of an entry, undefined without any; refuses a critical one that is not known here. */
export function entryExtensions(entry: DerElement): ExtensionTable | undefined {
  const date = entryDate(entry)
  if (date.end === entry.end) return undefined
  const element = readElement(entry.source, date.end, entry.end)
  if (element.end !== entry.end) throw new DerError('unexpected field')
  const extensions = readExtensionTable(element)
  for (const { oid, critical } of extensions.values())
    if (critical && !processed.has(oid)) throw new DerError('unknown critical extension of a CRL entry')
  return extensions
}

/** Reads an entry; throws DerError. */
export function readRevokedEntry(entry: DerElement): RevokedEntry {
  const extensions = entryExtensions(entry)
  const code = extensions?.get(oids.reasonCode)
  const reason = code === undefined ? 'unspecified' : readRevocationReason(readDer(code.value))
  const invalidity = extensions?.get(oids.invalidityDate)
  const invalidSince = invalidity && readGeneralizedTime(readDer(invalidity.value))
  return { revokedAt: readTime(entryDate(entry)), reason, invalidSince }
}

function entryDate(entry: DerElement): DerElement {
  const serial = readElement(entry.source, entry.content, entry.end)
  return readElement(entry.source, serial.end, entry.end)
}

/** Reads CRLReason (RFC 5280 section 5.3.1); throws DerError. */
export function readRevocationReason(element: DerElement): RevocationReason {
  const reason = reasons[readSmallInteger(element, ENUMERATED)]
  if (reason === undefined) throw new DerError('revocation reason is unknown')
  return reason
}
