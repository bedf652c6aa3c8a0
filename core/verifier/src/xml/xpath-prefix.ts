import { XmlElement } from './node.js'
import { DSIG } from './signature-element.js'

/**
 * Whether a prefix that only the text of an XPath uses means XMLDSig, in what was signed and in the source. Exclusive
 * canonicalization (section 4) does not write the declaration of such a prefix, so that its meaning is not signed: the
 * source alone says it then, as it does for other software. Whoever declares the prefix anew above it for another
 * namespace makes the expression one that is not allowed, and never one that is misread.
 */
export function meansSignatures(prefix: string, expression: XmlElement, signedInfo: XmlElement | undefined): boolean {
  const signed = namespaceOf(prefix, expression)
  if (signedInfo === undefined) return signed === DSIG
  const source = samePlace(expression, signedInfo)
  return (signed === undefined || signed === DSIG) && source !== undefined && namespaceOf(prefix, source) === DSIG
}

/** The element that stands below `root` where `element` stands below its own: canonical forms keep the order of elements. */
function samePlace(element: XmlElement, root: XmlElement): XmlElement | undefined {
  const { parent } = element
  if (parent === undefined) return root
  const above = samePlace(parent, root)
  return above === undefined ? undefined : elementsOf(above)[elementsOf(parent).indexOf(element)]
}

const elementsOf = ({ children }: XmlElement): readonly XmlElement[] =>
  children.filter((child) => child instanceof XmlElement)

function namespaceOf(prefix: string, from: XmlElement): string | undefined {
  for (let element: XmlElement | undefined = from; element !== undefined; element = element.parent) {
    const declaration = element.declarations.find((candidate) => candidate.prefix === prefix)
    if (declaration !== undefined) return declaration.uri
  }
  return undefined
}
