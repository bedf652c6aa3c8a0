import { type DigestAlgorithm, xmlDigestAlgorithm } from '../algorithms/digest.js'
import { type AlgorithmPolicy, requireTrustedDigest } from '../algorithms/policy.js'
import { base64Content, elementChildren } from './element-content.js'
import { ElementSequence } from './element-sequence.js'
import type { XmlElement } from './node.js'
import { DSIG } from './signature-element.js'
import { readTransforms, type Transforms } from './transforms.js'
import { notParsed } from './xml-errors.js'

/** One ds:Reference (XMLDSig 1.1, section 4.4.3). */
export interface Reference {
  /** Undefined where the attribute is absent. */
  readonly uri: string | undefined
  readonly type: string | undefined
  readonly transforms: Transforms
  readonly digest: DigestAlgorithm
  readonly digestValue: Buffer
}

/**
 * Reads a Reference of a canonical SignedInfo in two steps: the digest algorithm at once, so that a weak one is refused first, the
 * rest when the result is called. `signedInfo` is the element in the source.
 */
export function readReference(
  element: XmlElement,
  signedInfo: XmlElement,
  policy: AlgorithmPolicy,
  at: number,
): () => Reference {
  const order = new ElementSequence(element)
  const transforms = order.optional(DSIG, 'Transforms')
  const digest = readDigestMethod(order.required(DSIG, 'DigestMethod'), policy, at)
  const value = order.required(DSIG, 'DigestValue')
  order.finish()
  return () => ({
    uri: element.attribute('URI'),
    type: element.attribute('Type'),
    transforms: readTransforms(transforms, signedInfo),
    digest,
    digestValue: readDigestValue(value, digest),
  })
}

/** Reads a DigestMethod without parameters; throws `digestAlgorithmNotSupported` or `algorithmNotTrusted`. */
export function readDigestMethod(element: XmlElement, policy: AlgorithmPolicy, at: number): DigestAlgorithm {
  const digest = xmlDigestAlgorithm(element.attribute('Algorithm') ?? '')
  requireTrustedDigest(policy, digest, at)
  if (elementChildren(element).length > 0) throw notParsed('digestParameters')
  return digest
}

/** Reads a DigestValue, which must have the length of its digest. */
export function readDigestValue(element: XmlElement, digest: DigestAlgorithm): Buffer {
  const value = base64Content(element)
  if (value.length !== digest.length) throw notParsed('digestLength', { length: value.length, due: digest.length })
  return value
}
