import type { FoundSignature } from './find-signatures.js'
import { XmlElement } from './node.js'
import { DSIG } from './signature-element.js'
import type { SignedContent } from './signed-content.js'
import { invalid, notParsed } from './xml-errors.js'

/** Reference type of counter-signatures (EN 319 132-1, 5.2.7.1). */
export const COUNTERSIGNED = 'http://uri.etsi.org/01903#CountersignedSignature'

/** The other signature whose SignatureValue a reference is to, if any. */
export function countersignedBy({ apex }: SignedContent, signature: XmlElement): XmlElement | undefined {
  if (!(apex instanceof XmlElement) || !apex.is(DSIG, 'SignatureValue')) return undefined
  const { parent } = apex
  if (parent === undefined || parent === signature || !parent.is(DSIG, 'Signature')) return undefined
  const [, value] = parent.children.filter((child) => child instanceof XmlElement)
  return value === apex ? parent : undefined
}

/**
 * Refuses a reference of type CountersignedSignature to anything but a SignatureValue, and a signature in the place of a
 * counter-signature that does not sign exactly the signature that contains it.
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
 * The elements to omit with counter-signatures that were added later: their properties, and ancestors that would become
 * empty.
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
