import type { Canonicalization } from '../algorithms/canonicalization.js'
import { isCanonicalization, readCanonicalization } from './canonicalization-method.js'
import { elementChildren, textContent } from './element-content.js'
import { ElementSequence } from './element-sequence.js'
import { XmlElement } from './node.js'
import { DSIG } from './signature-element.js'
import { notParsed } from './xml-errors.js'

const ENVELOPED = `${DSIG}enveloped-signature`
const XPATH = 'http://www.w3.org/TR/1999/REC-xpath-19991116'
const NOT_SIGNATURE = /^\s*not\s*\(\s*ancestor-or-self\s*::\s*([^\s:()]+)\s*:\s*Signature\s*\)\s*$/
const FILTER_2 = 'http://www.w3.org/2002/06/xmldsig-filter2'
const ALL_SIGNATURES = /^\s*\/\s*descendant\s*::\s*([^\s:()]+)\s*:\s*Signature\s*$/
const BASE64 = `${DSIG}base64`
const MAX_TRANSFORMS = 8

/** The combined effect of the transforms of a Reference. */
export interface Transforms {
  /** The signature that holds the reference is left out. */
  readonly enveloped: boolean
  /**
   * Every ds:Signature is left out: the XPath idiom `not(ancestor-or-self::ds:Signature)`, or `subtract` of
   * `/descendant::ds:Signature` in XPath Filter 2.0.
   */
  readonly withoutSignatures: boolean
  /** The text is base64-decoded before digesting (XMLDSig 1.1, 6.6.2); no other transform is allowed with it. */
  readonly base64: boolean
  /** Undefined where none is named. */
  readonly canonicalization: Canonicalization | undefined
}

/**
 * Reads Transforms against the allow-list: base64 alone; or enveloped-signature, the idioms of XPath of the same meaning,
 * and one canonicalization as the last. XSLT, other XPath and everything else is refused. `signedInfo` is the element in
 * the source where `element` is of its canonical form.
 */
export function readTransforms(element: XmlElement | undefined, signedInfo?: XmlElement): Transforms {
  let enveloped = false
  let withoutSignatures = false
  let base64 = false
  let canonicalization: Canonicalization | undefined
  if (element === undefined) return { enveloped, withoutSignatures, base64, canonicalization }
  const order = new ElementSequence(element)
  const transforms = order.all(DSIG, 'Transform', MAX_TRANSFORMS)
  order.finish()
  if (transforms.length === 0) throw notParsed('elementMissing', { element: 'Transform', in: 'Transforms' })
  for (const transform of transforms) {
    const uri = transform.attribute('Algorithm') ?? ''
    if (canonicalization !== undefined) throw notParsed('transformAfterCanonicalization', { transform: uri })
    if (isCanonicalization(uri)) canonicalization = readCanonicalization(transform)
    else if (uri === ENVELOPED && elementChildren(transform).length === 0) enveloped = true
    else if (uri === XPATH && isNotSignature(transform, signedInfo)) withoutSignatures = true
    else if (uri === FILTER_2 && subtractsSignatures(transform, signedInfo)) withoutSignatures = true
    else if (uri === BASE64 && transforms.length === 1 && elementChildren(transform).length === 0) base64 = true
    else throw notParsed('transformNotAllowed', { transform: uri })
  }
  return { enveloped, withoutSignatures, base64, canonicalization }
}

function isNotSignature(transform: XmlElement, signedInfo: XmlElement | undefined): boolean {
  const [expression, ...others] = elementChildren(transform)
  if (others.length > 0 || !expression?.is(DSIG, 'XPath')) return false
  const prefix = NOT_SIGNATURE.exec(textContent(expression))?.[1]
  return prefix !== undefined && meansSignatures(prefix, expression, signedInfo)
}

/** The equivalent XPath Filter 2.0 expression, as written by DSS. */
function subtractsSignatures(transform: XmlElement, signedInfo: XmlElement | undefined): boolean {
  const [expression, ...others] = elementChildren(transform)
  if (others.length > 0 || !expression?.is(FILTER_2, 'XPath') || expression.attribute('Filter') !== 'subtract')
    return false
  const prefix = ALL_SIGNATURES.exec(textContent(expression))?.[1]
  return prefix !== undefined && meansSignatures(prefix, expression, signedInfo)
}

/**
 * Whether a prefix used only in the text of an XPath is bound to XMLDSig, both in the signed form and in the source. Exclusive
 * canonicalization (section 4) omits the declaration of such a prefix, so its binding is not signed; then only the source
 * counts, as for other software. Rebinding the prefix can only make the expression disallowed, never misread.
 */
function meansSignatures(prefix: string, expression: XmlElement, signedInfo: XmlElement | undefined): boolean {
  const signed = namespaceOf(prefix, expression)
  if (signedInfo === undefined) return signed === DSIG
  const source = samePlace(expression, signedInfo)
  return (signed === undefined || signed === DSIG) && source !== undefined && namespaceOf(prefix, source) === DSIG
}

/** The element below `root` at the position of `element` below its own root: canonicalization keeps the order of elements. */
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
