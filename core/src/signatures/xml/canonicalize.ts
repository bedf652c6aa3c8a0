import type { Canonicalization } from './canonicalization-method.js'
import { compareCodePoints } from './code-point-order.js'
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
import { notParsed } from './refuse.js'

/** Code units of canonical text that one call may write: re-rendered namespaces can outgrow any source. */
export const MOST_CANONICAL_LENGTH = 8 * 1024 * 1024

const ABSOLUTE = /^[A-Za-z][A-Za-z0-9+.-]*:/

/**
 * Writes a whole document, or one element with everything below it, in canonical form: Canonical XML 1.0, 1.1 or
 * Exclusive XML Canonicalization 1.0. Elements for which `omit` is true are left out with all they hold. Throws
 * `signatureNotParsed` where the recommendation demands failure (relative namespace) or nothing would be left. Cost
 * grows linearly with the text written.
 */
export function canonicalize(
  apex: XmlDocument | XmlElement,
  method: Canonicalization,
  omit: (element: XmlElement) => boolean = () => false,
): string {
  const writer = new CanonicalWriter(method, omit)
  return apex instanceof XmlElement ? writer.element(apex) : writer.document(apex)
}

class CanonicalWriter {
  private text = ''
  private readonly inScope = new NamespaceScope()
  private readonly rendered = new NamespaceScope()

  constructor(
    private readonly method: Canonicalization,
    private readonly omit: (element: XmlElement) => boolean,
  ) {}

  document({ root, children }: XmlDocument): string {
    if (this.omit(root)) throw notParsed('nothingSigned')
    let afterRoot = false
    for (const child of children) {
      if (child instanceof XmlElement) {
        this.writeApex(root)
        afterRoot = true
      } else if (!(child instanceof XmlComment) || this.method.withComments) {
        if (afterRoot) this.text += '\n'
        this.node(child)
        if (!afterRoot) this.text += '\n'
      }
    }
    return this.text
  }

  element(apex: XmlElement): string {
    for (let element: XmlElement | undefined = apex; element !== undefined; element = element.parent) {
      if (this.omit(element)) throw notParsed('nothingSigned')
    }
    this.writeApex(apex)
    return this.text
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
    if (node instanceof XmlText) this.text += escapeText(node.value)
    else if (node instanceof XmlElement) {
      if (!this.omit(node)) this.child(node)
    } else if (node instanceof XmlComment) {
      if (this.method.withComments) this.text += `<!--${node.value}-->`
    } else this.text += node.data === '' ? `<?${node.target}?>` : `<?${node.target} ${node.data}?>`
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

  /** Writes the element; of the prefixes in `candidates` those whose binding the output does not have yet. */
  private open(element: XmlElement, candidates: readonly string[], attributes: readonly XmlAttribute[]): void {
    const name = element.prefix === '' ? element.localName : `${element.prefix}:${element.localName}`
    const declarations = this.missing(candidates)
    this.text += `<${name}`
    for (const declaration of declarations) this.text += writeDeclaration(declaration)
    for (const attribute of attributes.length < 2 ? attributes : [...attributes].sort(compareAttributes)) {
      const prefixed = attribute.prefix === '' ? attribute.localName : `${attribute.prefix}:${attribute.localName}`
      this.text += ` ${prefixed}="${escapeAttribute(attribute.value)}"`
    }
    this.text += '>'
    if (this.text.length > MOST_CANONICAL_LENGTH) throw notParsed('canonicalFormTooLarge')
    this.rendered.open(declarations)
    for (const child of element.children) this.node(child)
    this.rendered.close(declarations)
    this.text += `</${name}>`
  }

  private missing(candidates: readonly string[]): readonly XmlDeclaration[] {
    if (candidates.length === 0) return []
    const declarations: XmlDeclaration[] = []
    for (const prefix of new Set(candidates)) {
      if (prefix === 'xml') continue
      const uri = this.inScope.find(prefix)
      if (uri === undefined || uri === this.rendered.find(prefix)) continue
      if (uri !== '' && !ABSOLUTE.test(uri)) throw notParsed('relativeNamespace', { uri })
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

const compareAttributes = (left: XmlAttribute, right: XmlAttribute): number =>
  compareCodePoints(left.namespace, right.namespace) || compareCodePoints(left.localName, right.localName)

const writeDeclaration = ({ prefix, uri }: XmlDeclaration): string =>
  prefix === '' ? ` xmlns="${escapeAttribute(uri)}"` : ` xmlns:${prefix}="${escapeAttribute(uri)}"`

const TEXT_ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' }
const ATTRIBUTE_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
}

const escapeText = (text: string): string =>
  /[&<>\r]/.test(text) ? text.replace(/[&<>\r]/g, (found) => TEXT_ESCAPES[found] ?? found) : text

const escapeAttribute = (text: string): string =>
  /[&<"\t\n\r]/.test(text) ? text.replace(/[&<"\t\n\r]/g, (found) => ATTRIBUTE_ESCAPES[found] ?? found) : text
