import type { Subject } from '@signed-registry/dev-authorities'
import { EXC_C14N, signatureTemplate, signTemplate, type TemplateOptions } from './sign-template.js'

export const XADES = 'http://uri.etsi.org/01903/v1.3.2#'
export const COUNTERSIGNED = 'http://uri.etsi.org/01903#CountersignedSignature'

/** A reference to the SignatureValue with this identifier. */
export const overValue = (valueId: string) => ({
  uri: ` URI="#${valueId}"`,
  type: COUNTERSIGNED,
  transforms: [EXC_C14N],
})

/** The XAdES property with a signature in it. */
export const counterSignature = (signature: string): string =>
  `<xades:CounterSignature xmlns:xades="${XADES}">${signature}</xades:CounterSignature>`

/**
 * Puts an unsigned property into the signature whose SignatureValue has this identifier, with the elements around it where
 * it is the first.
 */
export function addUnsigned(xml: string, valueId: string, property: string): string {
  const group = `<xades:UnsignedSignatureProperties Id="unsigned-${valueId}">`
  if (xml.includes(group)) return xml.replace(group, `$&${property}`)
  const at = xml.indexOf('</ds:Signature>', xml.indexOf(`<ds:SignatureValue Id="${valueId}">`))
  const object =
    `<ds:Object><xades:QualifyingProperties xmlns:xades="${XADES}"><xades:UnsignedProperties>${group}${property}` +
    '</xades:UnsignedSignatureProperties></xades:UnsignedProperties></xades:QualifyingProperties></ds:Object>'
  return xml.slice(0, at) + object + xml.slice(at)
}

/** Signs the value with this identifier by somebody else (EN 319 132-1, 5.2.7). */
export const counterSign = (xml: string, valueId: string, by: Subject, options: TemplateOptions = {}): string =>
  signTemplate(
    addUnsigned(
      xml,
      valueId,
      counterSignature(signatureTemplate(by, { references: [overValue(valueId)], ...options })),
    ),
    by,
  )
