import { expectTag, fieldsOf, OBJECT_IDENTIFIER, SEQUENCE, SET } from '../der/fields.js'
import { readOid } from '../der/oid.js'
import { children, type DerElement, DerError, encoded } from '../der/reader.js'

const MAX_ATTRIBUTES = 64
const MAX_VALUES = 16

/** An Attribute (RFC 5652, 5.3). */
export interface Attribute {
  readonly oid: string
  readonly element: DerElement
  /** The SET OF values. */
  readonly set: DerElement
  readonly values: readonly DerElement[]
}

/** The signed or unsigned attributes of a signer, in the order they stand in. */
export class Attributes {
  readonly all: readonly Attribute[]

  /** Reads `[n] IMPLICIT SET OF Attribute`: at least 1, at most 64 of at most 16 values; throws DerError. */
  constructor(readonly element: DerElement) {
    this.all = children(element, MAX_ATTRIBUTES).map(readAttribute)
    if (this.all.length === 0) throw new DerError('attributes are empty')
  }

  /** Attributes of a type. */
  of(oid: string): readonly Attribute[] {
    return this.all.filter((attribute) => attribute.oid === oid)
  }

  /** The first type that occurs twice. */
  get doubled(): string | undefined {
    const seen = new Set<string>()
    return this.all.find(({ oid }) => seen.size === seen.add(oid).size)?.oid
  }

  /** The only value of the only attribute of a type; `undefined` when there is another number of either. */
  single(oid: string): DerElement | undefined {
    const [attribute, more] = this.of(oid)
    return attribute === undefined || more !== undefined || attribute.values.length !== 1
      ? undefined
      : attribute.values[0]
  }

  /** The encoding that is signed: as received, with the tag of SET OF (RFC 5652, 5.4). */
  get signedBytes(): Uint8Array {
    const bytes = Buffer.from(encoded(this.element)) // a copy: `slice` of a Buffer is not
    bytes[0] = SET
    return bytes
  }
}

/** Reads one Attribute; throws DerError. */
export function readAttribute(element: DerElement): Attribute {
  const fields = fieldsOf(expectTag(element, SEQUENCE))
  const oid = readOid(fields.take(OBJECT_IDENTIFIER))
  const set = fields.take(SET)
  fields.finish()
  return { oid, element, set, values: children(set, MAX_VALUES) }
}
