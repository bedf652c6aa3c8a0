import { XML_NAMESPACE, XMLNS_NAMESPACE, type XmlDeclaration } from './node.js'
import { notParsed } from './xml-errors.js'

/** Prefixes in scope while elements open and close; each look-up is one map access whatever the depth. */
export class NamespaceScope {
  private readonly bindings = new Map<string, string[]>([['xml', [XML_NAMESPACE]]])

  open(declarations: readonly XmlDeclaration[]): void {
    for (const { prefix, uri } of declarations) {
      const stack = this.bindings.get(prefix)
      if (stack === undefined) this.bindings.set(prefix, [uri])
      else stack.push(uri)
    }
  }

  close(declarations: readonly XmlDeclaration[]): void {
    for (const { prefix } of declarations) this.bindings.get(prefix)?.pop()
  }

  /** The namespace bound to `prefix`; undefined where none is. An empty prefix without a binding is no namespace. */
  find(prefix: string): string | undefined {
    const uri = this.bindings.get(prefix)?.at(-1)
    return uri === undefined && prefix === '' ? '' : uri
  }

  /** The namespace of a name; an undeclared prefix is refused. */
  resolve(prefix: string): string {
    const uri = this.find(prefix)
    if (uri === undefined) throw notParsed('undeclaredPrefix', { prefix })
    return uri
  }
}

/** Refuses what Namespaces in XML 1.0 section 3 reserves. */
export function checkDeclaration({ prefix, uri }: XmlDeclaration): void {
  const reserved =
    prefix === 'xmlns' ||
    uri === XMLNS_NAMESPACE ||
    (prefix === 'xml') !== (uri === XML_NAMESPACE) ||
    (prefix !== '' && uri === '')
  if (reserved) throw notParsed('reservedNamespace', { prefix })
}
