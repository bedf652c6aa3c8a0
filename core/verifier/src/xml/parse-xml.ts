import { XML_LIMITS, type XmlLimits } from './limits.js'
import { checkDeclaration, NamespaceScope } from './namespace-scope.js'
import {
  type XmlAttribute,
  XmlComment,
  type XmlDeclaration,
  type XmlDocument,
  XmlElement,
  XmlInstruction,
  type XmlNode,
  XmlText,
} from './node.js'
import { normalizeLines, XmlScanner } from './scanner.js'
import { notParsed } from './xml-errors.js'

const DECLARATION =
  /<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(["'])1\.0\1(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(["'])[A-Za-z][A-Za-z0-9._-]*\2)?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(["'])(?:yes|no)\3)?[ \t\r\n]*\?>/y
const LESS_THAN = 0x3c
const COLON = 0x3a
const BYTE_ORDER_MARK = 0xfeff

/** An attribute whose namespace is not known until its whole tag is. */
interface UnresolvedAttribute extends XmlAttribute {
  namespace: string
}

/**
 * Parses a namespace-well-formed XML 1.0 document without a document type. Strict: whatever XML 1.0 and Namespaces in
 * XML 1.0 call an error is `signatureNotParsed` with a reason, and so are a DOCTYPE, any entity but the five predefined
 * ones, and a text over the limits. Cost grows linearly with the text.
 */
export function parseXml(source: string, limits: XmlLimits = XML_LIMITS): XmlDocument {
  if (source.length > limits.length) throw notParsed('tooLarge', { length: source.length, most: limits.length })
  return new XmlParser(source, limits).document()
}

class XmlParser {
  private readonly scanner: XmlScanner
  private readonly scope = new NamespaceScope()
  private nodes = 0
  /** Whether the tag that was read last closed itself. */
  private selfClosed = false
  /** Prefix of the name that was read last. */
  private prefix = ''

  constructor(
    source: string,
    private readonly limits: XmlLimits,
  ) {
    this.scanner = new XmlScanner(source)
  }

  document(): XmlDocument {
    const { scanner } = this
    if (scanner.peek() === BYTE_ORDER_MARK) scanner.position += 1
    if (/^<\?xml[ \t\r\n]/.test(scanner.source.slice(scanner.position, scanner.position + 6))) this.declaration()
    const children: XmlNode[] = []
    this.misc(children)
    const rootStart = scanner.position
    const root = this.tree()
    const rootEnd = scanner.position
    children.push(root)
    this.misc(children)
    if (!scanner.done) throw scanner.fail()
    return { root, children, rootStart, rootEnd }
  }

  private declaration(): void {
    DECLARATION.lastIndex = this.scanner.position
    if (!DECLARATION.test(this.scanner.source)) throw this.scanner.fail('xmlDeclaration')
    this.scanner.position = DECLARATION.lastIndex
  }

  /** Comments, processing instructions and white space around the root. */
  private misc(children: XmlNode[]): void {
    const { scanner } = this
    for (;;) {
      scanner.skipSpace()
      if (scanner.skip('<!--')) children.push(this.comment())
      else if (scanner.skip('<?')) children.push(this.instruction())
      else if (scanner.looksAt('<!')) throw scanner.fail('doctype')
      else return
    }
  }

  /** The root element with everything in it; nodes wait in one list until their parent is closed. */
  private tree(): XmlElement {
    const { scanner, limits } = this
    const root = this.openTag(undefined)
    let open: XmlElement | undefined = this.selfClosed ? undefined : root
    const nodes: XmlNode[] = []
    const starts = [0]
    let text = ''
    while (open !== undefined) {
      text += this.text()
      if (scanner.skip('<![CDATA[')) {
        text += normalizeLines(scanner.until(']]>'))
        continue
      }
      if (text !== '') {
        nodes.push(this.counted(new XmlText(text)))
        text = ''
      }
      if (scanner.skip('</')) {
        const start = starts.pop() ?? 0
        if (start < nodes.length) open.children = nodes.splice(start)
        this.closeTag(open)
        open = open.parent
      } else if (scanner.skip('<!--')) nodes.push(this.comment())
      else if (scanner.skip('<?')) nodes.push(this.instruction())
      else {
        const element = this.openTag(open)
        nodes.push(element)
        if (this.selfClosed) continue
        open = element
        if (starts.push(nodes.length) > limits.depth) throw scanner.fail('tooDeep')
      }
    }
    return root
  }

  /** Character data up to the next `<`. */
  private text(): string {
    const { scanner } = this
    if (scanner.peek() === LESS_THAN) return ''
    const end = scanner.source.indexOf('<', scanner.position)
    if (end < 0) throw scanner.fail()
    const raw = scanner.source.slice(scanner.position, end)
    if (raw.includes(']]>')) throw scanner.fail()
    const text = scanner.resolve(normalizeLines(raw))
    scanner.position = end
    return text
  }

  private openTag(parent: XmlElement | undefined): XmlElement {
    const { scanner } = this
    const start = scanner.position
    scanner.expect('<')
    const localName = this.qualifiedName()
    const { prefix } = this
    const element = this.counted(new XmlElement(prefix, localName, parent))
    element.start = start
    let attributes: UnresolvedAttribute[] | undefined
    let declarations: XmlDeclaration[] | undefined
    for (;;) {
      const spaced = scanner.skipSpace()
      if (scanner.skip('>')) {
        this.selfClosed = false
        break
      }
      if (scanner.skip('/>')) {
        this.selfClosed = true
        break
      }
      if (!spaced) throw scanner.fail()
      const attribute = this.attribute()
      if ('uri' in attribute) {
        declarations ??= []
        if (declarations.some((other) => other.prefix === attribute.prefix)) throw scanner.fail('duplicateAttribute')
        declarations.push(attribute)
      } else {
        attributes ??= []
        attributes.push(attribute)
      }
      const count = (attributes?.length ?? 0) + (declarations?.length ?? 0)
      if (count > this.limits.attributes) throw scanner.fail('tooManyAttributes')
    }
    if (declarations !== undefined) {
      element.declarations = declarations
      this.scope.open(declarations)
    }
    element.namespace = this.scope.resolve(prefix)
    if (prefix === 'xmlns') throw scanner.fail('reservedNamespace')
    if (attributes !== undefined) element.attributes = this.resolveAttributes(attributes)
    element.end = scanner.position
    if (this.selfClosed) this.scope.close(element.declarations)
    return element
  }

  private attribute(): UnresolvedAttribute | XmlDeclaration {
    const { scanner } = this
    const localName = this.qualifiedName()
    const { prefix } = this
    scanner.skipSpace()
    scanner.expect('=')
    scanner.skipSpace()
    const raw = scanner.quoted()
    if (raw.includes('<')) throw scanner.fail()
    const value = scanner.resolve(/[\t\n\r]/.test(raw) ? normalizeLines(raw).replace(/[\t\n]/g, ' ') : raw)
    if (prefix !== 'xmlns' && (prefix !== '' || localName !== 'xmlns'))
      return { prefix, localName, namespace: '', value }
    const declaration = { prefix: prefix === '' ? '' : localName, uri: value }
    checkDeclaration(declaration)
    return declaration
  }

  /** Gives prefixed attributes their namespace, now that all declarations of the element are known. */
  private resolveAttributes(attributes: UnresolvedAttribute[]): readonly XmlAttribute[] {
    for (const [index, attribute] of attributes.entries()) {
      if (attribute.prefix !== '') attribute.namespace = this.scope.resolve(attribute.prefix)
      for (let i = 0; i < index; i += 1) {
        const other = attributes[i]
        if (other?.localName !== attribute.localName || other.namespace !== attribute.namespace) continue
        throw this.scanner.fail('duplicateAttribute')
      }
    }
    return attributes
  }

  private closeTag(element: XmlElement): void {
    const { scanner } = this
    if (element.prefix !== '') {
      scanner.expect(element.prefix)
      scanner.expect(':')
    }
    scanner.expect(element.localName)
    scanner.skipSpace()
    scanner.expect('>')
    element.end = scanner.position
    this.scope.close(element.declarations)
  }

  /** Reads a name: gives the part after the colon, and leaves the part before it in `prefix`. */
  private qualifiedName(): string {
    const first = this.scanner.ncName()
    if (this.scanner.peek() !== COLON) {
      this.prefix = ''
      return first
    }
    this.scanner.position += 1
    this.prefix = first
    return this.scanner.ncName()
  }

  private comment(): XmlComment {
    const text = this.scanner.until('--')
    this.scanner.expect('>')
    return this.counted(new XmlComment(normalizeLines(text)))
  }

  private instruction(): XmlInstruction {
    const { scanner } = this
    const target = scanner.ncName()
    if (target.toLowerCase() === 'xml') throw scanner.fail('xmlDeclaration')
    if (scanner.skip('?>')) return this.counted(new XmlInstruction(target, ''))
    if (!scanner.skipSpace()) throw scanner.fail()
    return this.counted(new XmlInstruction(target, normalizeLines(scanner.until('?>'))))
  }

  private counted<T extends XmlNode>(node: T): T {
    this.nodes += 1
    if (this.nodes > this.limits.nodes) throw this.scanner.fail('tooManyNodes')
    return node
  }
}
