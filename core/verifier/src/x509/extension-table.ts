import { readBoolean } from '../der/boolean.js'
import { BOOLEAN, expectTag, fieldsOf, OBJECT_IDENTIFIER, OCTET_STRING, SEQUENCE } from '../der/fields.js'
import { readOid } from '../der/oid.js'
import { children, contents, type DerElement, DerError, readInside } from '../der/reader.js'

const MAX_EXTENSIONS = 100

/** One extension as encoded. */
export class Extension {
  private made: unknown

  constructor(
    readonly oid: string,
    readonly critical: boolean,
    private readonly octets: DerElement,
  ) {}

  /** The DER inside its OCTET STRING. */
  get value(): Uint8Array {
    return contents(this.octets)
  }

  /** What a reader makes of the one element inside, kept for the next time; throws DerError. */
  read<T>(reader: (element: DerElement) => T): T {
    this.made ??= reader(readInside(this.octets))
    return this.made as T
  }

  /** Has a reader look at the one element inside once, and keeps nothing; throws DerError. */
  check(reader: (element: DerElement) => unknown): void {
    if (this.made === undefined) reader(readInside(this.octets))
  }
}

/** Extensions by object identifier. */
export type ExtensionTable = ReadonlyMap<string, Extension>

export const noExtensions: ExtensionTable = new Map()

/** Reads Extensions: at least one, at most 100, each once (RFC 5280 section 4.2). */
export function readExtensionTable(element: DerElement): ExtensionTable {
  const table = new Map<string, Extension>()
  for (const item of children(expectTag(element, SEQUENCE), MAX_EXTENSIONS)) {
    const fields = fieldsOf(item)
    const oid = readOid(fields.take(OBJECT_IDENTIFIER))
    const flag = fields.takeIf(BOOLEAN)
    const octets = fields.take(OCTET_STRING)
    fields.finish()
    if (table.has(oid)) throw new DerError('extension is doubled')
    table.set(oid, new Extension(oid, flag !== undefined && readBoolean(flag), octets))
  }
  if (table.size === 0) throw new DerError('extensions are empty')
  return table
}
