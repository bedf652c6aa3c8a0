/** An attribute that is not a namespace declaration. `namespace` is empty for an unprefixed one. */
export interface XmlAttribute {
  readonly prefix: string
  readonly localName: string
  readonly namespace: string
  readonly value: string
}

/** `xmlns="uri"` (empty prefix) or `xmlns:prefix="uri"`. */
export interface XmlDeclaration {
  readonly prefix: string
  readonly uri: string
}

/** Character data between two tags or markup pieces, references and CDATA sections resolved; never empty. */
export class XmlText {
  constructor(readonly value: string) {}
}

export class XmlComment {
  constructor(readonly value: string) {}
}

/** A processing instruction. */
export class XmlInstruction {
  constructor(
    readonly target: string,
    readonly data: string,
  ) {}
}

export type XmlNode = XmlElement | XmlText | XmlComment | XmlInstruction

const NONE: never[] = []

/** An element with its namespace resolved (Namespaces in XML 1.0). */
export class XmlElement {
  /** Attributes in the order of the source, declarations left out. */
  attributes: readonly XmlAttribute[] = NONE
  declarations: readonly XmlDeclaration[] = NONE
  children: readonly XmlNode[] = NONE
  namespace = ''
  /** Where its start tag begins in the source, and where its end tag ends. */
  start = 0
  end = 0

  constructor(
    readonly prefix: string,
    readonly localName: string,
    readonly parent: XmlElement | undefined,
  ) {}

  is(namespace: string, localName: string): boolean {
    return this.localName === localName && this.namespace === namespace
  }

  /** Value of the unprefixed attribute, if there is one. */
  attribute(localName: string): string | undefined {
    return this.attributes.find((attribute) => attribute.namespace === '' && attribute.localName === localName)?.value
  }
}

/** A parsed document without a document type. */
export interface XmlDocument {
  readonly root: XmlElement
  /** The root and the comments and processing instructions around it, in order. */
  readonly children: readonly XmlNode[]
  /** Offsets of the root element in the source. */
  readonly rootStart: number
  readonly rootEnd: number
}

export const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace'
export const XMLNS_NAMESPACE = 'http://www.w3.org/2000/xmlns/'
