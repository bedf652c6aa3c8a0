import { expectTag, fieldsOf, OBJECT_IDENTIFIER, SEQUENCE, SET } from '../der/fields.js'
import { readOid } from '../der/oid.js'
import { children, type DerElement, DerError, encoded, readDer } from '../der/reader.js'
import { readText } from '../der/strings.js'
import { Recent } from '../recent.js'
import { attributeNames } from './attribute-types.js'
import { preparedText } from './name-comparison.js'

const MAX_RDNS = 64
const MAX_ATTRIBUTES = 16
const MAX_REMEMBERED = 1000

/** The specification's "Name attribute": `value` is base64 of the DER value when `valueInB64`, because it is not a text. */
export interface NameAttribute {
  readonly oid: string
  readonly name: string
  readonly valueInB64: boolean
  readonly value: string
}

interface RawAttribute {
  readonly oid: string
  readonly value: DerElement
}

/** A distinguished name in a certificate: at most 64 RDNs of 16 attributes. */
export class Name {
  readonly der: Uint8Array
  private readonly length: number
  private structure: readonly (readonly NameAttribute[])[] | undefined
  private comparable: readonly string[] | undefined
  private joined: string | undefined
  private text: string | undefined

  private constructor(element: DerElement) {
    this.der = encoded(element)
    this.length = readRdns(element).length
  }

  // Not cached: thousands of names are kept, and most are compared only by their octets.
  private get raw(): RawAttribute[][] {
    return readRdns(readDer(this.der))
  }

  /** Reads a Name (RFC 5280 section 4.1.2.4); throws DerError. */
  static read(element: DerElement): Name {
    return new Name(element)
  }

  /** As `read`, cached, for recurring names such as those of CAs: equal bytes give the same object. */
  static readKnown(element: DerElement): Name {
    return recent.of(encoded(element), (der) => new Name(readDer(der)))
  }

  /** RDNs in the order of the certificate. */
  get rdns(): readonly (readonly NameAttribute[])[] {
    this.structure ??= this.raw.map((rdn) => rdn.map(describe))
    return this.structure
  }

  /** True for a name without RDNs. */
  get isEmpty(): boolean {
    return this.length === 0
  }

  /** One comparison key per RDN: equal keys are equal RDNs under RFC 5280 section 7.1. */
  get keys(): readonly string[] {
    this.comparable ??= this.raw.map(keyOf)
    return this.comparable
  }

  /** Comparison key of the name, for indexes. */
  get key(): string {
    this.joined ??= this.keys.join()
    return this.joined
  }

  /** Values of an attribute type that are texts, in the order of the certificate. */
  texts(oid: string): string[] {
    return this.rdns
      .flat()
      .flatMap((attribute) => (attribute.oid === oid && !attribute.valueInB64 ? attribute.value : []))
  }

  /** Compares by RFC 5280 section 7.1. */
  equals(other: Name): boolean {
    if (this === other || Buffer.compare(this.der, other.der) === 0) return true
    return this.length === other.length && this.key === other.key
  }

  /** True when `base` is this name or an ancestor of it. */
  isWithin(base: Name): boolean {
    return base.length <= this.length && base.keys.every((key, index) => key === this.keys[index])
  }

  /** RFC 4514: the last RDN of the certificate first. */
  toString(): string {
    this.text ??= this.raw
      .map((rdn) => rdn.map(written).join('+'))
      .reverse()
      .join(',')
    return this.text
  }
}

const recent = new Recent<Name>(MAX_REMEMBERED)

/** Comparison key of one RDN, as an implicit tag may carry it. */
export const rdnKey = (element: DerElement, tag: number): string => keyOf(readRdn(element, tag))

const keyOf = (rdn: readonly RawAttribute[]): string => JSON.stringify(rdn.map(attributeKey).sort())

const readRdns = (element: DerElement): RawAttribute[][] =>
  children(expectTag(element, SEQUENCE), MAX_RDNS).map((rdn) => readRdn(rdn))

function readRdn(element: DerElement, tag: number = SET): RawAttribute[] {
  const attributes = children(expectTag(element, tag), MAX_ATTRIBUTES).map((attribute) => {
    const fields = fieldsOf(attribute)
    const oid = readOid(fields.take(OBJECT_IDENTIFIER))
    const value = fields.any()
    fields.finish()
    return { oid, value }
  })
  if (attributes.length === 0) throw new DerError('relative distinguished name is empty')
  return attributes
}

const inBase = (bytes: Uint8Array, base: 'hex' | 'base64'): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(base)

function describe({ oid, value }: RawAttribute): NameAttribute {
  const text = readText(value)
  return {
    oid,
    name: attributeNames.get(oid) ?? oid,
    valueInB64: text === undefined,
    value: text ?? inBase(encoded(value), 'base64'),
  }
}

function attributeKey({ oid, value }: RawAttribute): string {
  const text = readText(value)
  return text === undefined ? `${oid}#${inBase(encoded(value), 'hex')}` : `${oid}=${preparedText(text)}`
}

function written({ oid, value }: RawAttribute): string {
  const name = attributeNames.get(oid)
  const text = name === undefined ? undefined : readText(value)
  return `${name ?? oid}=${text === undefined ? `#${inBase(encoded(value), 'hex')}` : escaped(text)}`
}

/** Escapes a value by RFC 4514 section 2.4; control characters are written as hexadecimal pairs. */
const escaped = (text: string): string =>
  text
    .replace(/["+,;<>\\]|^[ #]|(?!^) $/g, '\\$&')
    .replace(/\p{Cc}/gu, (sign) => Buffer.from(sign).toString('hex').replace(/../g, '\\$&'))
