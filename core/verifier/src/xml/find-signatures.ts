import { XmlElement, XmlText } from './node.js'
import { isXades } from './qualifying-properties.js'
import { DSIG } from './signature-element.js'

/** A ds:Signature of a document and its position. */
export interface FoundSignature {
  readonly element: XmlElement
  /** The signature that contains it; then it is not a signature over the document. */
  readonly within: XmlElement | undefined
  /** Whether it is in the unsigned properties of that one, to which anybody may add. */
  readonly isUnsigned: boolean
  /** The CounterSignature property of which it is the only content (EN 319 132-1, 5.2.7). */
  readonly property: XmlElement | undefined
}

/** All ds:Signature elements in document order. */
export function findSignatures(root: XmlElement): readonly FoundSignature[] {
  const found: FoundSignature[] = []
  const visit = (element: XmlElement, within: XmlElement | undefined): void => {
    const isSignature = element.is(DSIG, 'Signature')
    if (isSignature) found.push(within === undefined ? topmost(element) : nested(element, within))
    for (const child of element.children) if (child instanceof XmlElement) visit(child, isSignature ? element : within)
  }
  visit(root, undefined)
  return found
}

const topmost = (element: XmlElement): FoundSignature => ({
  element,
  within: undefined,
  isUnsigned: false,
  property: undefined,
})

/** From a counter-signature up to the Object of the signature that it is over. */
const PLACE = ['CounterSignature', 'UnsignedSignatureProperties', 'UnsignedProperties', 'QualifyingProperties']

function nested(element: XmlElement, within: XmlElement): FoundSignature {
  const above: XmlElement[] = []
  for (let node = element.parent; node !== undefined && node !== within; node = node.parent) above.push(node)
  const names = above.map((node) => (isXades(node) ? node.localName : ''))
  const isUnsigned =
    above.at(-1)?.is(DSIG, 'Object') === true &&
    names.at(-2) === 'QualifyingProperties' &&
    names.at(-3) === 'UnsignedProperties'
  const isPlace = isUnsigned && above.length === PLACE.length + 1 && PLACE.every((name, at) => names[at] === name)
  const property = isPlace && element.parent !== undefined && isAlone(element.parent) ? element.parent : undefined
  return { element, within, isUnsigned, property }
}

/** Whether an element holds one element and no text. */
const isAlone = ({ children }: XmlElement): boolean =>
  children.filter((child) => child instanceof XmlElement).length === 1 &&
  children.every((child) => !(child instanceof XmlText) || child.value.trim() === '')
