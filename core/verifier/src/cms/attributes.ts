import { expectTag, fieldsOf, OBJECT_IDENTIFIER, SEQUENCE, SET } from '../der/fields.js'
import { readOid } from '../der/oid.js'
import { children, type DerElement, DerError, encoded } from '../der/reader.js'
import { writeElement, writeOid, writeSetOf } from '../der/writer.js'

const MAX_ATTRIBUTES = 64
const MAX_VALUES = 256

/** An Attribute (RFC 5652, 5.3). */
export interface Attribute {
  readonly oid: string
  readonly element: DerElement
  /** The SET OF values. */
  readonly set: DerElement
  readonly values: readonly DerElement[]
}

/** The signed or unsigned attributes of a signer, in the order received. */
export class Attributes {
  readonly all: readonly Attribute[]

  /** Reads `[n] IMPLICIT SET OF Attribute`: 1 to 64 attributes of up to 256 values; throws DerError. */
  constructor(readonly element: DerElement) {
    this.all = children(element, MAX_ATTRIBUTES).map(readAttribute)
    if (this.all.length === 0) throw new DerError('attributes are empty')
  }

  /** Whether there is an attribute of a type. */
  has(oid: string): boolean {
    return this.all.some((attribute) => attribute.oid === oid)
  }

  /** A type that occurs twice. */
  get duplicate(): string | undefined {
    return this.all.find(({ oid }, index) => this.all.findIndex((other) => other.oid === oid) !== index)?.oid
  }

  /** One of these types that occurs twice. */
  duplicateAmong(types: readonly string[]): string | undefined {
    return types.find((type) => {
      const first = this.all.findIndex(({ oid }) => oid === type)
      return first >= 0 && this.all.findLastIndex(({ oid }) => oid === type) !== first
    })
  }

  /** The single value of the single attribute of a type; `undefined` if there are none or several of either. */
  single(oid: string): DerElement | undefined {
    let found: Attribute | undefined
    for (const attribute of this.all) {
      if (attribute.oid !== oid) continue
      if (found !== undefined) return undefined
      found = attribute
    }
    return found?.values.length === 1 ? found.values[0] : undefined
  }

  /** The encoding as received, with the tag of SET OF. */
  get received(): Uint8Array {
    const bytes = Buffer.from(encoded(this.element)) // a copy: `slice` of a Buffer is not
    bytes[0] = SET
    return bytes
  }

  /** The DER encoding, with sorted attributes: what is to be signed (RFC 5652, 5.4). */
  get sorted(): Uint8Array {
    return writeSetOf(SET, this.all.map(inDer))
  }
}

/** The DER of an attribute, with sorted values. */
export const inDer = ({ oid, element, values }: Attribute): Uint8Array =>
  values.length < 2 ? encoded(element) : writeElement(SEQUENCE, writeOid(oid), writeSetOf(SET, values.map(encoded)))

/** Reads one Attribute; throws DerError. */
export function readAttribute(element: DerElement): Attribute {
  const fields = fieldsOf(expectTag(element, SEQUENCE))
  const oid = readOid(fields.take(OBJECT_IDENTIFIER))
  const set = fields.take(SET)
  fields.finish()
  return { oid, element, set, values: children(set, MAX_VALUES) }
}
