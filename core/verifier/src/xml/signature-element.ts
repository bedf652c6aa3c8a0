import { base64Content, elementChildren } from './element-content.js'
import type { XmlElement } from './node.js'
import { notParsed } from './xml-errors.js'

export const DSIG = 'http://www.w3.org/2000/09/xmldsig#'

const MAX_OBJECTS = 32
const MAX_VALUE_OCTETS = 8192

/** The parts of one ds:Signature (XMLDSig 1.1, section 4.2). */
export interface SignatureElement {
  readonly element: XmlElement
  readonly signedInfo: XmlElement
  readonly signatureValue: XmlElement
  /** Octets of the SignatureValue. */
  readonly value: Buffer
  readonly keyInfo: XmlElement | undefined
  readonly objects: readonly XmlElement[]
}

/** Takes a ds:Signature apart: SignedInfo, SignatureValue, KeyInfo?, Object*, each in its place, and nothing else. */
export function readSignatureElement(element: XmlElement): SignatureElement {
  if (!element.is(DSIG, 'Signature')) throw notParsed('signatureMissing')
  const [signedInfo, signatureValue, ...others] = elementChildren(element)
  if (!signedInfo?.is(DSIG, 'SignedInfo')) throw notParsed('signedInfoMissing')
  if (!signatureValue?.is(DSIG, 'SignatureValue')) {
    throw notParsed(signatureValue?.is(DSIG, 'SignedInfo') === true ? 'severalSignedInfo' : 'signatureValueMissing')
  }
  const keyInfo = others[0]?.is(DSIG, 'KeyInfo') === true ? others.shift() : undefined
  for (const other of others) {
    if (!other.is(DSIG, 'Object')) throw notParsed('unexpectedElement', { element: other.localName })
  }
  if (others.length > MAX_OBJECTS) throw notParsed('tooManyObjects')
  const value = base64Content(signatureValue)
  if (value.length > MAX_VALUE_OCTETS) throw notParsed('signatureValueTooLarge')
  return { element, signedInfo, signatureValue, value, keyInfo, objects: others }
}
