import type { Canonicalization } from '../algorithms/canonicalization.js'
import { CanonicalOutput } from './canonical-output.js'
import { inheritedXmlAttributes } from './inherited-attributes.js'
import { NamespaceScope } from './namespace-scope.js'
import {
  type XmlAttribute,
  XmlComment,
  type XmlDeclaration,
  type XmlDocument,
  XmlElement,
  type XmlNode,
  XmlText,
} from './node.js'
import { notParsed } from './xml-errors.js'

const ABSOLUTE = /^[A-Za-z][A-Za-z0-9+.-]*:/

/**
 * Writes a document or an element subtree in canonical form: Canonical XML 1.0, 1.1 or Exclusive XML Canonicalization 1.0.
 * Elements for which `omit` is true are left out with their content. Throws `signatureNotParsed` where the recommendation
 * demands failure (relative namespace) or nothing would be left. Takes time linear in the output.
 */
export function canonicalize(
  apex: XmlDocument | XmlElement,
  method: Canonicalization,
  omit: (element: XmlElement) => boolean = () => false,
): Buffer {
  const writer = new CanonicalWriter(method, omit)
  return apex instanceof XmlElement ? writer.element(apex) : writer.document(apex)
}

class CanonicalWriter {
  private readonly output = new CanonicalOutput()
  private readonly inScope = new NamespaceScope()
  private readonly rendered = new NamespaceScope()

  constructor(
    private readonly method: Canonicalization,
    private readonly omit: (element: XmlElement) => boolean,
  ) {}

  document({ root, children }: XmlDocument): Buffer {
    if (this.omit(root)) throw notParsed('nothingSigned')
    let afterRoot = false
    for (const child of children) {
      if (child instanceof XmlElement) {
        this.writeApex(root)
        afterRoot = true
      } else if (!(child instanceof XmlComment) || this.method.withComments) {
        if (afterRoot) this.output.markup('\n')
        this.node(child)
        if (!afterRoot) this.output.markup('\n')
      }
    }
    return this.output.bytes()
  }

  element(apex: XmlElement): Buffer {
    for (let element: XmlElement | undefined = apex; element !== undefined; element = element.parent) {
      if (this.omit(element)) throw notParsed('nothingSigned')
    }
    this.writeApex(apex)
    return this.output.bytes()
  }

  private writeApex(apex: XmlElement): void {
    const ancestors: XmlElement[] = []
    for (let element = apex.parent; element !== undefined; element = element.parent) ancestors.unshift(element)
    for (const ancestor of ancestors) this.inScope.open(ancestor.declarations)
    this.inScope.open(apex.declarations)
    const candidates =
      this.method.kind === 'exclusive'
        ? [...this.visiblyUsed(apex), ...this.method.inclusivePrefixes]
        : [...ancestors, apex].flatMap(({ declarations }) => declarations.map(({ prefix }) => prefix))
    const inherited = inheritedXmlAttributes(apex, ancestors, this.method.kind)
    this.open(apex, candidates, inherited)
    this.inScope.close(apex.declarations)
  }

  private node(node: XmlNode): void {
    if (node instanceof XmlText) this.output.text(node.value)
    else if (node instanceof XmlElement) {
      if (!this.omit(node)) this.child(node)
    } else if (node instanceof XmlComment) {
      if (this.method.withComments) this.output.markup(`<!--${node.value}-->`)
    } else this.output.markup(node.data === '' ? `<?${node.target}?>` : `<?${node.target} ${node.data}?>`)
  }

  private child(element: XmlElement): void {
    this.inScope.open(element.declarations)
    let candidates: readonly string[]
    if (this.method.kind === 'exclusive') {
      candidates = this.visiblyUsed(element)
      for (const { prefix } of element.declarations) {
        if (this.method.inclusivePrefixes.has(prefix)) candidates = [...candidates, prefix]
      }
    } else candidates = element.declarations.map(({ prefix }) => prefix)
    this.open(element, candidates, element.attributes)
    this.inScope.close(element.declarations)
  }

  /** Writes the start tag with those namespace declarations of `candidates` that are not in effect in the output yet. */
  private open(element: XmlElement, candidates: readonly string[], attributes: readonly XmlAttribute[]): void {
    const declarations = this.missing(candidates)
    for (const declaration of element.declarations) requireAbsolute(declaration)
    for (const declaration of declarations) requireAbsolute(declaration)
    this.output.markup('<')
    this.name(element.prefix, element.localName)
    for (const { prefix, uri } of declarations) this.attribute('xmlns', prefix, uri)
    for (const attribute of attributes.length < 2 ? attributes : [...attributes].sort(compareAttributes)) {
      this.attribute(attribute.prefix, attribute.localName, attribute.value)
    }
    this.output.markup('>')
    this.rendered.open(declarations)
    for (const child of element.children) this.node(child)
    this.rendered.close(declarations)
    this.output.markup('</')
    this.name(element.prefix, element.localName)
    this.output.markup('>')
  }

  private name(prefix: string, localName: string): void {
    this.output.markup(prefix)
    if (prefix !== '' && localName !== '') this.output.markup(':')
    this.output.markup(localName)
  }

  private attribute(prefix: string, localName: string, value: string): void {
    this.output.markup(' ')
    this.name(prefix, localName)
    this.output.markup('="')
    this.output.attributeValue(value)
    this.output.markup('"')
  }

  private missing(candidates: readonly string[]): readonly XmlDeclaration[] {
    if (candidates.length === 0) return []
    const declarations: XmlDeclaration[] = []
    for (const prefix of new Set(candidates)) {
      if (prefix === 'xml') continue
      const uri = this.inScope.find(prefix)
      if (uri === undefined || uri === this.rendered.find(prefix)) continue
      declarations.push({ prefix, uri })
    }
    return declarations.sort((left, right) => compareCodePoints(left.prefix, right.prefix))
  }

  private visiblyUsed(element: XmlElement): readonly string[] {
    const used = [element.prefix]
    for (const { prefix } of element.attributes) if (prefix !== '') used.push(prefix)
    return used
  }
}

/** Canonical XML 1.0, section 1.3: a relative namespace name is an error wherever it is declared. */
function requireAbsolute({ uri }: XmlDeclaration): void {
  if (uri !== '' && !ABSOLUTE.test(uri)) throw notParsed('relativeNamespace', { uri })
}

const compareAttributes = (left: XmlAttribute, right: XmlAttribute): number =>
  compareCodePoints(left.namespace, right.namespace) || compareCodePoints(left.localName, right.localName)

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff

/** Orders by Unicode code point, as canonical XML sorts; JavaScript's own order puts U+10000 before U+E000. */
function compareCodePoints(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length)
  for (let i = 0; i < shorter; i += 1) {
    const a = left.charCodeAt(i)
    const b = right.charCodeAt(i)
    if (a === b) continue
    if (isSurrogate(a) !== isSurrogate(b)) return isSurrogate(a) ? 1 : -1
    return a - b
  }
  return left.length - right.length
}
