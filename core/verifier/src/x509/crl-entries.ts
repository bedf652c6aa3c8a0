import { getRandomValues } from 'node:crypto'
import { type DerElement, DerError, readDer, readElement } from '../der/reader.js'
import { itemAt } from '../item-at.js'
import { extensionOids as oids } from './extension-oids.js'
import { readGeneralNames } from './general-name.js'
import type { Name } from './name.js'
import { entryExtensions, entrySerial, type RevokedEntry, readRevokedEntry } from './revoked-entry.js'

const NO_ENTRY = 0xffff_ffff

/** The offset from which entries belong to these certificate issuers (RFC 5280 section 5.3.3). */
interface IssuerSpan {
  readonly from: number
  readonly names: readonly Name[]
}

/**
 * The revoked certificates of a CRL: a hash table from serial numbers to offsets of entries, 8 to 16 octets each, built in one
 * pass on first use. No objects are created for entries that are not looked up.
 */
export class CrlEntries {
  private table: Uint32Array | undefined
  private readonly spans: IssuerSpan[]

  constructor(
    private readonly list: DerElement | undefined,
    crlIssuer: Name,
  ) {
    this.spans = [{ from: 0, names: [crlIssuer] }]
  }

  /**
   * The entry of a certificate, by its serial number (content octets) and issuer. Throws DerError when any entry is malformed,
   * doubled, or has a critical extension that is not known here, since such a CRL must not be used (RFC 5280 section 5.3).
   */
  find(serial: Uint8Array, issuer: Name): RevokedEntry | undefined {
    const { list } = this
    if (list === undefined) return undefined
    this.table ??= this.index(list)
    for (let slot = slotOf(this.table, serial); ; slot = (slot + 1) % this.table.length) {
      const offset = this.table[slot]
      if (offset === undefined || offset === NO_ENTRY) return undefined
      const entry = readElement(list.source, offset, list.end)
      if (Buffer.compare(entrySerial(entry), serial) !== 0) continue
      if (this.spanAt(offset).names.some((name) => name.equals(issuer))) return readRevokedEntry(entry)
    }
  }

  private index(list: DerElement): Uint32Array {
    let count = 0
    for (let offset = list.content; offset < list.end; count += 1)
      offset = readElement(list.source, offset, list.end).end
    const table = new Uint32Array(2 ** Math.ceil(Math.log2(2 * count + 2))).fill(NO_ENTRY)
    this.spans.length = 1
    for (let offset = list.content; offset < list.end; ) {
      const entry = readElement(list.source, offset, list.end)
      this.noteIssuer(entry)
      this.insert(table, list, entry)
      offset = entry.end
    }
    return table
  }

  private insert(table: Uint32Array, { source, end }: DerElement, entry: DerElement): void {
    const serial = entrySerial(entry)
    let slot = slotOf(table, serial)
    for (; table[slot] !== NO_ENTRY; slot = (slot + 1) % table.length) {
      const other = readElement(source, table[slot], end)
      const isSame = Buffer.compare(entrySerial(other), serial) === 0
      if (isSame && this.spanAt(other.start) === this.spanAt(entry.start)) throw new DerError('CRL entry is doubled')
    }
    table[slot] = entry.start
  }

  private noteIssuer(entry: DerElement): void {
    const extension = entryExtensions(entry)?.get(oids.certificateIssuer)
    if (extension === undefined) return
    const names = readGeneralNames(readDer(extension.value)).flatMap(({ name }) => name ?? [])
    this.spans.push({ from: entry.start, names })
  }

  private spanAt(offset: number): IssuerSpan {
    let low = 0
    for (let high = this.spans.length; high - low > 1; ) {
      const middle = (low + high) >>> 1
      if (itemAt(this.spans, middle).from <= offset) low = middle
      else high = middle
    }
    return itemAt(this.spans, low)
  }
}

// A secret per process, so that chosen serial numbers cannot cause hash collisions.
const SECRET = getRandomValues(new Uint32Array(256))

/** Slot of a serial number in the hash table. */
function slotOf(table: Uint32Array, serial: Uint8Array): number {
  let hash = 0
  for (const octet of serial) hash = Math.imul(hash ^ (SECRET[octet] ?? 0), 0x01000193) ^ (hash >>> 15)
  return (hash >>> 0) % table.length
}
