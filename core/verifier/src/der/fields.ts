import { type DerElement, DerError, readElement } from './reader.js'

/** A cursor over the components of a SEQUENCE, SET or explicit tag. */
export class DerFields {
  private offset: number

  constructor(private readonly parent: DerElement) {
    if ((parent.tag & 0x20) === 0) throw new DerError('element is not constructed')
    this.offset = parent.content
  }

  /** True when no field is left. */
  get done(): boolean {
    return this.offset >= this.parent.end
  }

  /** Identifier octet of the next field, undefined at the end. */
  get tag(): number | undefined {
    return this.done ? undefined : this.parent.source[this.offset]
  }

  /** The next field, whatever its type. */
  any(): DerElement {
    const field = readElement(this.parent.source, this.offset, this.parent.end)
    this.offset = field.end
    return field
  }

  /** The next field, which must have this tag. */
  take(tag: number): DerElement {
    if (this.tag !== tag) throw new DerError('field is missing or of another type')
    return this.any()
  }

  /** The next field when it has this tag. */
  takeIf(tag: number): DerElement | undefined {
    return this.tag === tag ? this.any() : undefined
  }

  /** The element inside the next field if it has this explicit tag. */
  explicit(tag: number): DerElement | undefined {
    const wrapper = this.takeIf(tag)
    return wrapper && only(wrapper)
  }

  /** Refuses remaining fields. */
  finish(): void {
    if (!this.done) throw new DerError('unexpected field')
  }
}

/** The fields of an element that must have this tag. */
export function fieldsOf(element: DerElement, tag: number = SEQUENCE): DerFields {
  expectTag(element, tag)
  return new DerFields(element)
}

/** The single element inside an explicit tag. */
export function only(wrapper: DerElement): DerElement {
  const fields = new DerFields(wrapper)
  const inner = fields.any()
  fields.finish()
  return inner
}

/** Refuses an element of another type. */
export function expectTag(element: DerElement, tag: number): DerElement {
  if (element.tag !== tag) throw new DerError('element is of another type')
  return element
}

export const BOOLEAN = 0x01
export const INTEGER = 0x02
export const BIT_STRING = 0x03
export const OCTET_STRING = 0x04
export const NULL = 0x05
export const OBJECT_IDENTIFIER = 0x06
export const ENUMERATED = 0x0a
export const UTC_TIME = 0x17
export const GENERALIZED_TIME = 0x18
export const SEQUENCE = 0x30
export const SET = 0x31

/** Identifier octet of a primitive context tag, `[n] IMPLICIT` of a primitive type. */
export const context = (number: number): number => 0x80 | number

/** Identifier octet of a constructed context tag: explicit, or implicit of a SEQUENCE or SET. */
export const contextConstructed = (number: number): number => 0xa0 | number
