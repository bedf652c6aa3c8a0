import { type Canonicalization, isCanonicalization, readCanonicalization } from './canonicalization-method.js'
import { elementChildren, textContent } from './element-content.js'
import { ElementOrder } from './element-order.js'
import type { XmlElement } from './node.js'
import { notParsed } from './refuse.js'
import { DSIG } from './signature-element.js'

const ENVELOPED = `${DSIG}enveloped-signature`
const XPATH = 'http://www.w3.org/TR/1999/REC-xpath-19991116'
const NOT_SIGNATURE = /^\s*not\s*\(\s*ancestor-or-self\s*::\s*([^\s:()]+)\s*:\s*Signature\s*\)\s*$/
const MOST_TRANSFORMS = 8

/** What the allowed transforms of one Reference come to. */
export interface Transforms {
  /** The signature that holds the reference is left out. */
  readonly enveloped: boolean
  /** Every ds:Signature is left out: the XPath idiom `not(ancestor-or-self::ds:Signature)`. */
  readonly withoutSignatures: boolean
  /** Undefined where none is named. */
  readonly canonicalization: Canonicalization | undefined
}

/**
 * Reads Transforms against the allow-list: enveloped-signature, the XPath idiom of the same meaning, and one
 * canonicalization as the last. XSLT, XPath, base64 and everything else is refused.
 */
export function readTransforms(element: XmlElement | undefined): Transforms {
  let enveloped = false
  let withoutSignatures = false
  let canonicalization: Canonicalization | undefined
  if (element === undefined) return { enveloped, withoutSignatures, canonicalization }
  const order = new ElementOrder(element)
  const transforms = order.all(DSIG, 'Transform', MOST_TRANSFORMS)
  order.finish()
  if (transforms.length === 0) throw notParsed('elementMissing', { element: 'Transform', in: 'Transforms' })
  for (const transform of transforms) {
    const uri = transform.attribute('Algorithm') ?? ''
    if (canonicalization !== undefined) throw notParsed('transformAfterCanonicalization', { transform: uri })
    if (isCanonicalization(uri)) canonicalization = readCanonicalization(transform)
    else if (uri === ENVELOPED && elementChildren(transform).length === 0) enveloped = true
    else if (uri === XPATH && isNotSignature(transform)) withoutSignatures = true
    else throw notParsed('transformNotAllowed', { transform: uri })
  }
  return { enveloped, withoutSignatures, canonicalization }
}

function isNotSignature(transform: XmlElement): boolean {
  const [expression, ...others] = elementChildren(transform)
  if (others.length > 0 || !expression?.is(DSIG, 'XPath')) return false
  const prefix = NOT_SIGNATURE.exec(textContent(expression))?.[1]
  return prefix !== undefined && namespaceOf(prefix, expression) === DSIG
}

function namespaceOf(prefix: string, from: XmlElement): string | undefined {
  for (let element: XmlElement | undefined = from; element !== undefined; element = element.parent) {
    const declaration = element.declarations.find((candidate) => candidate.prefix === prefix)
    if (declaration !== undefined) return declaration.uri
  }
  return undefined
}
