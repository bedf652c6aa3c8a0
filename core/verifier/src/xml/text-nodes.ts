import { XmlElement, XmlText } from './node.js'
import { parseXml } from './parse-xml.js'

/**
 * The text nodes of signed bytes, in their order: what a reader of the signed content sees, and nothing that was not
 * signed. Throws `signatureNotParsed` when the bytes are not an XML document.
 */
export function textNodes(signedBytes: Uint8Array): string[] {
  const texts: string[] = []
  const visit = (element: XmlElement): void => {
    for (const child of element.children) {
      if (child instanceof XmlText) texts.push(child.value)
      else if (child instanceof XmlElement) visit(child)
    }
  }
  visit(parseXml(Buffer.from(signedBytes).toString('utf8')).root)
  return texts
}
