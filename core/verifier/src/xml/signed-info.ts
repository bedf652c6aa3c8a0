import type { Canonicalization } from '../algorithms/canonicalization.js'
import { type AlgorithmPolicy, requireTrustedDigest } from '../algorithms/policy.js'
import { readCanonicalization } from './canonicalization-method.js'
import { canonicalize } from './canonicalize.js'
import { elementChildren } from './element-content.js'
import { ElementSequence } from './element-sequence.js'
import { XmlElement, XmlText } from './node.js'
import { parseXml } from './parse-xml.js'
import { type Reference, readReference } from './reference.js'
import { DSIG } from './signature-element.js'
import { readSignatureMethod, type XmlSignatureMethod } from './signature-method.js'
import { notParsed } from './xml-errors.js'

const MAX_REFERENCES = 32

/** SignedInfo, parsed from its canonical bytes, so that exactly what was signed is used. */
export interface SignedInfo {
  /** The bytes that the signature value is over. */
  readonly bytes: Buffer
  readonly method: XmlSignatureMethod
  readonly references: readonly Reference[]
}

/** Reads SignedInfo; weak algorithms are refused before anything else is judged. */
export function readSignedInfo(element: XmlElement, policy: AlgorithmPolicy, at: number): SignedInfo {
  refuseMixedContent(element)
  const bytes = canonicalize(element, canonicalizationOf(element))
  const order = new ElementSequence(parseXml(bytes.toString('utf8')).root)
  order.required(DSIG, 'CanonicalizationMethod')
  const method = readSignatureMethod(order.required(DSIG, 'SignatureMethod'))
  requireTrustedDigest(policy, method.digest, at)
  const elements = order.all(DSIG, 'Reference', MAX_REFERENCES)
  order.finish()
  if (elements.length === 0) throw notParsed('referenceMissing')
  const references = elements.map((reference) => readReference(reference, element, policy, at))
  return { bytes, method, references: references.map((read) => read()) }
}

function canonicalizationOf(signedInfo: XmlElement): Canonicalization {
  const [first] = elementChildren(signedInfo)
  if (!first?.is(DSIG, 'CanonicalizationMethod'))
    throw notParsed('elementMissing', { element: 'CanonicalizationMethod' })
  return readCanonicalization(first)
}

/** Canonicalization removes comments, which may split a value for other parsers; such a value is refused. */
function refuseMixedContent(element: XmlElement): void {
  for (const child of element.children) {
    if (child instanceof XmlElement) refuseMixedContent(child)
    else if (child instanceof XmlText && element.children.length > 1 && child.value.trim() !== '') {
      throw notParsed('valueNotText', { element: element.localName })
    }
  }
}
