import { children, type DerElement, encoded } from '../der/reader.js'
import { signatureErrors } from '../errors.js'
import type { Attributes } from './attributes.js'
import type { SignedData } from './signed-data.js'

/** Refuses a CMS in which a SET OF is not in DER order (X.690 11.6); throws `setOrderNonconforming`. */
export function requireSetOrder({ parts, signerInfos }: SignedData): void {
  requireSorted(parts.digestAlgorithms, 'digestAlgorithms')
  if (parts.certificates !== undefined) requireSorted(parts.certificates, 'certificates')
  if (parts.crls !== undefined) requireSorted(parts.crls, 'crls')
  requireSorted(parts.signerInfos, 'signerInfos')
  for (const { signedAttributes, unsignedAttributes } of signerInfos) {
    if (signedAttributes !== undefined) requireSortedAttributes(signedAttributes, 'signedAttributes')
    if (unsignedAttributes !== undefined) requireSortedAttributes(unsignedAttributes, 'unsignedAttributes')
  }
}

function requireSortedAttributes(attributes: Attributes, where: string): void {
  requireSorted(attributes.element, where)
  for (const { set } of attributes.all) requireSorted(set, where)
}

function requireSorted(set: DerElement, where: string): void {
  const elements = children(set).map(encoded)
  const sorted = elements.every(
    (element, index) => index === 0 || Buffer.compare(elements[index - 1] as Uint8Array, element) <= 0,
  )
  if (!sorted) throw signatureErrors.error('setOrderNonconforming', { reason: 'setOrder', where })
}
