import type { FoundSignature } from './find-signatures.js'
import { XmlElement } from './node.js'
import { DSIG } from './signature-element.js'
import type { SignedContent } from './signed-content.js'
import { invalid, notParsed } from './xml-errors.js'

/** What says so is over the value of another signature (EN 319 132-1, 5.2.7.1). */
export const COUNTERSIGNED = 'http://uri.etsi.org/01903#CountersignedSignature'

/** The signature whose SignatureValue a reference is to; none where it is to anything else, or to its own. */
export function countersignedBy({ apex }: SignedContent, signature: XmlElement): XmlElement | undefined {
  if (!(apex instanceof XmlElement) || !apex.is(DSIG, 'SignatureValue')) return undefined
  const { parent } = apex
  if (parent === undefined || parent === signature || !parent.is(DSIG, 'Signature')) return undefined
  const [, value] = parent.children.filter((child) => child instanceof XmlElement)
  return value === apex ? parent : undefined
}

/**
 * Refuses a reference that says that it is to a countersigned signature and is not; and a signature that stands where
 * counter-signatures do and is not over the one that it stands in, or over anything else.
 */
export function requireCountersigned(
  { element, within, property }: FoundSignature,
  signed: readonly SignedContent[],
): void {
  for (const content of signed) {
    if (content.reference.type === COUNTERSIGNED && countersignedBy(content, element) === undefined)
      throw invalid('countersignedSignature')
  }
  if (within === undefined) return
  if (property === undefined) throw notParsed('nestedSignatures')
  if (!signed.some((content) => countersignedBy(content, element) === within)) throw invalid('countersignedSignature')
  if (signed.length > 1) throw notParsed('counterSignatureContent')
}

/**
 * What is taken away with counter-signatures that were added later: their properties, and each element around them that
 * would be left with nothing in it.
 */
export function withEmptiedParents(properties: readonly XmlElement[]): readonly XmlElement[] {
  const absent = new Set(properties)
  const isEmptied = ({ children }: XmlElement): boolean =>
    children.every((child) => !(child instanceof XmlElement) || absent.has(child))
  for (const property of properties) {
    let { parent } = property
    while (parent !== undefined && !parent.is(DSIG, 'Signature') && isEmptied(parent)) {
      absent.add(parent)
      parent = parent.parent
    }
  }
  return [...absent]
}
