import { readBoolean } from '../der/boolean.js'
import { BOOLEAN, expectTag, fieldsOf, OBJECT_IDENTIFIER, OCTET_STRING, SEQUENCE } from '../der/fields.js'
import { readOid } from '../der/oid.js'
import { children, contents, type DerElement, DerError } from '../der/reader.js'

const MAX_EXTENSIONS = 100

/** One extension as encoded: `value` is the DER inside its OCTET STRING. */
export interface Extension {
  readonly oid: string
  readonly critical: boolean
  readonly value: Uint8Array
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
    const value = contents(fields.take(OCTET_STRING))
    fields.finish()
    if (table.has(oid)) throw new DerError('extension is doubled')
    table.set(oid, { oid, critical: flag !== undefined && readBoolean(flag), value })
  }
  if (table.size === 0) throw new DerError('extensions are empty')
  return table
}
