import { decodeBase64 } from '../base64.js'
import { XmlElement, XmlText } from '../node.js'
import { DSIG } from '../signature-element.js'

const XADES_141 = 'http://uri.etsi.org/01903/v1.4.1#'

/** The child elements of an element, whatever stands between them. */
export const elementsOf = (element: XmlElement | undefined): readonly XmlElement[] =>
  element === undefined ? [] : element.children.filter((child) => child instanceof XmlElement)

/**
 * The tokens of an ArchiveTimeStamp that is judged (EN 319 132-1, 5.5.2): one that names nothing that it is over, and so is over
 * everything before it. `undefined` for any other property.
 */
export function archiveTokens(property: XmlElement): readonly Uint8Array[] | undefined {
  if (!property.is(XADES_141, 'ArchiveTimeStamp')) return undefined
  const found = elementsOf(property)
    .filter((child) => !child.is(DSIG, 'CanonicalizationMethod'))
    .map((child) => (child.localName === 'EncapsulatedTimeStamp' ? octetsIn(child) : undefined))
  const tokens = found.filter((token) => token !== undefined)
  return tokens.length === 0 || tokens.length < found.length ? undefined : tokens
}

function octetsIn({ children }: XmlElement): Uint8Array | undefined {
  const [text, ...others] = children
  return text instanceof XmlText && others.length === 0 ? decodeBase64(text.value) : undefined
}
