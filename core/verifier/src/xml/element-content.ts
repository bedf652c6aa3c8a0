import { decodeBase64 } from './base64.js'
import { XmlElement, XmlText } from './node.js'
import { notParsed } from './xml-errors.js'

const SPACE_ONLY = /^[ \t\r\n]*$/

/** Child elements of an element that may hold no text of its own. */
export function elementChildren(element: XmlElement): XmlElement[] {
  const found: XmlElement[] = []
  for (const child of element.children) {
    if (child instanceof XmlElement) found.push(child)
    else if (child instanceof XmlText && !SPACE_ONLY.test(child.value)) {
      throw notParsed('unexpectedText', { element: element.localName })
    }
  }
  return found
}

/** Text of an element that may hold nothing else: a comment or an element inside a value is refused. */
export function textContent(element: XmlElement): string {
  const [first, ...others] = element.children
  if (first === undefined) return ''
  if (others.length > 0 || !(first instanceof XmlText)) throw notParsed('valueNotText', { element: element.localName })
  return first.value
}

/** Bytes of an element that holds base64. */
export function base64Content(element: XmlElement): Buffer {
  const bytes = decodeBase64(textContent(element))
  if (bytes === undefined) throw notParsed('badBase64', { element: element.localName })
  return bytes
}
