import { DocumentVerifier, requireElement, type ValidSignature, type VerifiedXml } from './document-verifier.js'
import { type FoundSignature, findSignatures } from './find-signatures.js'
import type { XmlSignatureOptions } from './open-signature.js'
import { parseXml } from './parse-xml.js'
import { type Outcome, SigningOrder } from './signing-order.js'
import { notParsed } from './xml-errors.js'

export type { VerifiedXml } from './document-verifier.js'

const MAX_SIGNATURES = 16

/**
 * Verifies a document that holds exactly one signature: enveloped in it, enveloping it, or beside the signed element.
 * Throws as `readXmlSignature` does, and `signatureNotParsed` with reason `severalSignatures`.
 */
export function verifyXmlDocument(xml: string, options: XmlSignatureOptions = {}): VerifiedXml {
  const document = parseXml(xml, options.limits)
  const [found, ...others] = findSignatures(document.root)
  if (found === undefined) throw notParsed('signatureMissing')
  if (others.length > 0) throw notParsed('severalSignatures')
  return new DocumentVerifier(xml, document, options).verify(found, new Set()).verified
}

/**
 * Verifies all signatures of a document, in document order; an invalid one refuses the document. Each covers the document as
 * it was when signed: valid signatures that were added later are omitted, wherever they are. At most 16; those inside another are counter-signatures (EN 319 132-1, 5.2.7), over a `signature` and nothing else.
 */
export const verifyXmlSignatures = (xml: string, options: XmlSignatureOptions = {}): VerifiedXml[] =>
  readXmlSignatures(xml, options).map((read) => read())

/** Verifies one signature of a document. */
export interface XmlSignatureReader {
  (): VerifiedXml
  /** Whether it is in the unsigned properties of another: then it does not affect the document's verdict. */
  readonly countersigns: boolean
}

/**
 * As `verifyXmlSignatures`, each verified when its function is called, so that one may be refused without the others. Errors of
 * the document itself are thrown immediately.
 */
export function readXmlSignatures(xml: string, options: XmlSignatureOptions = {}): readonly XmlSignatureReader[] {
  const document = parseXml(xml, options.limits)
  const found = findSignatures(document.root)
  if (found.length === 0) throw notParsed('signatureMissing')
  if (found.some(({ within, isUnsigned }) => within !== undefined && !isUnsigned)) throw notParsed('nestedSignatures')
  return judged(found, new DocumentVerifier(xml, document, options), options)
}

/** The counter-signatures in the unsigned properties of a stand-alone signature, nested ones included. */
export function readCounterSignatures(xml: string, options: XmlSignatureOptions = {}): readonly XmlSignatureReader[] {
  const document = parseXml(xml, options.limits)
  const found = findSignatures(document.root).filter(({ isUnsigned }) => isUnsigned)
  return found.length === 0 ? [] : judged(found, new DocumentVerifier(xml, document, options), options)
}

function judged(
  found: readonly FoundSignature[],
  verifier: DocumentVerifier,
  options: XmlSignatureOptions,
): readonly XmlSignatureReader[] {
  if (found.length > MAX_SIGNATURES) throw notParsed('tooManySignatures', { most: MAX_SIGNATURES })
  const outcomes = new SigningOrder(verifier).judge(found)
  const outcomeOf = ({ element }: FoundSignature): Outcome =>
    outcomes.get(element) ?? { valid: undefined, error: notParsed('signatureMissing') }
  return found.map((one) => {
    const others = found.filter((other) => other !== one && other.within === undefined)
    const read = (): VerifiedXml => verified(outcomeOf(one), others, outcomeOf, options)
    return Object.assign(read, { countersigns: one.within !== undefined })
  })
}

/** A valid signature, downgraded to cover an `element` if it omits another signature with unsigned content. */
function verified(
  outcome: Outcome,
  others: readonly FoundSignature[],
  outcomeOf: (one: FoundSignature) => Outcome,
  options: XmlSignatureOptions,
): VerifiedXml {
  if (outcome.valid === undefined) throw outcome.error
  const { verified, leavesOut } = outcome.valid
  const leftOut = others.filter(({ element }) => leavesOut(element))
  if (verified.covers !== 'document' || leftOut.every((other) => signsWhatItHolds(outcomeOf(other).valid))) {
    return verified
  }
  requireElement(options)
  return { ...verified, covers: 'element' }
}

/** Whether an omitted signature is valid and contains no unsigned content. */
function signsWhatItHolds(valid: ValidSignature | undefined): boolean {
  if (valid === undefined) return false
  return valid.objects === 'properties' || (valid.objects === 'signed' && valid.verified.covers === 'document')
}
