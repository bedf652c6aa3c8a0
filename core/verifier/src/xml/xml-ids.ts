import { XML_NAMESPACE, type XmlAttribute, XmlElement } from './node.js'
import { notParsed } from './xml-errors.js'

const WS_SECURITY = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd'
const TYPED_BY_SCHEMA = /^http:\/\/(?:www\.w3\.org\/2000\/09\/xmldsig#|uri\.etsi\.org\/01903\/)/

/** Finds elements by identifier without a DTD: `Id`, `ID`, `id`, `xml:id` and `wsu:Id` count as one. */
export class XmlIds {
  private readonly elements = new Map<string, XmlElement[]>()

  /** Refuses a document in which two elements of XMLDSig or XAdES, or two `xml:id`, share an identifier. */
  constructor(root: XmlElement) {
    const typed = new Map<string, XmlElement>()
    const visit = (element: XmlElement): void => {
      for (const attribute of element.attributes) {
        if (!isIdentifier(attribute)) continue
        const found = this.elements.get(attribute.value)
        if (found === undefined) this.elements.set(attribute.value, [element])
        else if (found.length < 2 && found[0] !== element) found.push(element)
        if (attribute.namespace !== XML_NAMESPACE && !TYPED_BY_SCHEMA.test(element.namespace)) continue
        if ((typed.get(attribute.value) ?? element) !== element) throw notParsed('duplicateId', { id: attribute.value })
        typed.set(attribute.value, element)
      }
      for (const child of element.children) if (child instanceof XmlElement) visit(child)
    }
    visit(root)
  }

  /** The one element with this identifier, undefined where there is none; several are refused, whatever they are. */
  find(id: string): XmlElement | undefined {
    const [element, ...others] = this.elements.get(id) ?? []
    if (others.length > 0) throw notParsed('duplicateId', { id })
    return element
  }
}

function isIdentifier({ namespace, localName }: XmlAttribute): boolean {
  if (namespace === '') return localName === 'Id' || localName === 'ID' || localName === 'id'
  return (namespace === XML_NAMESPACE && localName === 'id') || (namespace === WS_SECURITY && localName === 'Id')
}
