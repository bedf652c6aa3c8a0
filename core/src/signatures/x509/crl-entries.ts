import { ENUMERATED, SEQUENCE } from '../der/fields.js'
import { integerBytes, readSmallInteger } from '../der/integer.js'
import { type DerElement, DerError, readDer, readElement } from '../der/reader.js'
import { readGeneralizedTime, readTime } from '../der/time.js'
import { extensionOids as oids } from './extension-oids.js'
import { type ExtensionTable, noExtensions, readExtensionTable } from './extension-table.js'
import { readGeneralNames } from './general-name.js'
import type { Name } from './name.js'

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

/** One entry of a CRL. */
export interface RevokedEntry {
  /** Milliseconds since the epoch. */
  readonly revokedAt: number
  readonly reason: RevocationReason
  readonly invalidSince: number | undefined
}

const processed: ReadonlySet<string> = new Set([oids.reasonCode, oids.invalidityDate, oids.certificateIssuer])

/** The revoked certificates of a CRL, looked up in its bytes without making an object of each. */
export class CrlEntries {
  private indirect = false
  private checked = false

  constructor(
    private readonly list: DerElement | undefined,
    private readonly crlIssuer: Name,
  ) {}

  /**
   * The entry of a certificate, by its serial number (content octets) and issuer; of several the earliest that revokes.
   * Throws DerError when any entry is malformed or has a critical extension that is not known here, since such a CRL must not be
   * used at all (RFC 5280 section 5.3).
   */
  find(serial: Uint8Array, issuer: Name): RevokedEntry | undefined {
    if (this.list === undefined) return undefined
    this.check(this.list)
    if (!this.indirect && !this.mayContain(this.list, serial)) return undefined
    let found: RevokedEntry | undefined
    let ours = this.crlIssuer.equals(issuer)
    for (const entry of entriesOf(this.list)) {
      if (this.indirect) ours = issuerOf(entry)?.some((name) => name.equals(issuer)) ?? ours
      if (!ours || Buffer.compare(entry.serial, serial) !== 0) continue
      const revoked = describe(entry)
      if (found === undefined || outweighs(revoked, found)) found = revoked
    }
    return found
  }

  /** Reads every entry once. */
  private check(list: DerElement): void {
    if (this.checked) return
    for (const entry of entriesOf(list)) {
      if (entry.extensions === undefined) continue
      const extensions = extensionsOf(entry)
      for (const { oid, critical } of extensions.values())
        if (critical && !processed.has(oid)) throw new DerError('unknown critical extension of a CRL entry')
      if (extensions.has(oids.certificateIssuer)) this.indirect = true
      describe(entry)
    }
    this.checked = true
  }

  /** A serial number that is nowhere in the bytes needs no walk over the entries. */
  private mayContain({ source, content, end }: DerElement, serial: Uint8Array): boolean {
    return Buffer.from(source.buffer, source.byteOffset + content, end - content).includes(Buffer.from(serial))
  }
}

interface Entry {
  readonly serial: Uint8Array
  readonly date: DerElement
  readonly extensions: DerElement | undefined
}

function* entriesOf({ source, content, end }: DerElement): Generator<Entry> {
  for (let offset = content; offset < end; ) {
    const entry = readElement(source, offset, end)
    if (entry.tag !== SEQUENCE) throw new DerError('CRL entry is not a sequence')
    offset = entry.end
    const serial = readElement(source, entry.content, entry.end)
    const date = readElement(source, serial.end, entry.end)
    const extensions = date.end < entry.end ? readElement(source, date.end, entry.end) : undefined
    if (extensions !== undefined && extensions.end !== entry.end) throw new DerError('unexpected field')
    yield { serial: integerBytes(serial), date, extensions }
  }
}

const extensionsOf = ({ extensions }: Entry): ExtensionTable =>
  extensions === undefined ? noExtensions : readExtensionTable(extensions)

function issuerOf(entry: Entry): Name[] | undefined {
  const extension = extensionsOf(entry).get(oids.certificateIssuer)
  return extension && readGeneralNames(readDer(extension.value)).flatMap(({ name }) => name ?? [])
}

function describe(entry: Entry): RevokedEntry {
  const extensions = extensionsOf(entry)
  const code = extensions.get(oids.reasonCode)
  const reason = code === undefined ? 'unspecified' : reasons[readSmallInteger(readDer(code.value), ENUMERATED)]
  if (reason === undefined) throw new DerError('revocation reason is unknown')
  const invalidity = extensions.get(oids.invalidityDate)
  const invalidSince = invalidity && readGeneralizedTime(readDer(invalidity.value))
  return { revokedAt: readTime(entry.date), reason, invalidSince }
}

const outweighs = (entry: RevokedEntry, found: RevokedEntry): boolean =>
  found.reason === 'removeFromCRL' || (entry.reason !== 'removeFromCRL' && entry.revokedAt < found.revokedAt)
