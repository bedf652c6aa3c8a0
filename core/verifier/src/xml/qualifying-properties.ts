import { elementChildren } from './element-content.js'
import { ElementSequence } from './element-sequence.js'
import type { XmlElement } from './node.js'
import type { Reference } from './reference.js'
import type { SignatureElement } from './signature-element.js'
import type { SignedContent } from './signed-content.js'
import { invalid, notParsed } from './xml-errors.js'

/** XAdES namespaces: EN 319 132 (v1.3.2) and its predecessors. */
const XADES: ReadonlySet<string> = new Set([
  'http://uri.etsi.org/01903/v1.3.2#',
  'http://uri.etsi.org/01903/v1.2.2#',
  'http://uri.etsi.org/01903/v1.1.1#',
])

/** The XAdES properties of one signature, before it is known whether they are signed. */
export interface QualifyingProperties {
  readonly namespace: string
  readonly element: XmlElement
  readonly signed: XmlElement | undefined
  readonly unsigned: XmlElement | undefined
}

/** Finds the QualifyingProperties in the Objects of a signature; several, or ones about another signature, are refused. */
export function readQualifyingProperties({ element, objects }: SignatureElement): QualifyingProperties | undefined {
  const found = objects.flatMap((object) =>
    object.children.flatMap((child) => ('localName' in child && isQualifyingProperties(child) ? [child] : [])),
  )
  const [properties, ...others] = found
  if (properties === undefined) return undefined
  if (others.length > 0) throw notParsed('severalQualifyingProperties')
  const target = properties.attribute('Target')
  if (target !== undefined && target !== '' && target !== `#${element.attribute('Id') ?? ''}`) {
    throw invalid('qualifyingPropertiesTarget', { target })
  }
  const { namespace } = properties
  const order = new ElementSequence(properties)
  const signed = order.optional(namespace, 'SignedProperties')
  const unsigned = order.optional(namespace, 'UnsignedProperties')
  order.finish()
  return { namespace, element: properties, signed, unsigned }
}

/** Whether an element is of XAdES. */
export const isXades = ({ namespace }: XmlElement): boolean => XADES.has(namespace)

const isQualifyingProperties = (element: XmlElement): boolean =>
  element.localName === 'QualifyingProperties' && isXades(element)

const SIGNED_PROPERTIES = /^http:\/\/uri\.etsi\.org\/01903[^#]*#SignedProperties$/

/** Whether a reference has the type of SignedProperties (EN 319 132-1, 4.4.2). */
export const isToSignedProperties = ({ type }: Reference): boolean => type !== undefined && SIGNED_PROPERTIES.test(type)

/** Refuses SignedProperties that no reference of the signature covers, and references of that type to anything else. */
export function requireSignedProperties(
  properties: QualifyingProperties | undefined,
  contents: readonly SignedContent[],
): void {
  for (const { reference, apex } of contents) {
    const isTheirs = apex !== undefined && apex === properties?.signed
    if (isToSignedProperties(reference) && !isTheirs) throw invalid('signedPropertiesMisplaced')
  }
  if (properties?.signed === undefined) return
  const covering = contents.filter(({ apex }) => apex === properties.signed)
  if (covering.length !== 1) throw invalid('signedPropertiesNotSigned')
}

/** Children of `SignedSignatureProperties` or `UnsignedSignatureProperties` with this name. */
export function propertiesNamed(
  container: XmlElement | undefined,
  group: string,
  names: readonly string[],
): XmlElement[] {
  if (container === undefined) return []
  const { namespace } = container
  return elementChildren(container)
    .filter((child) => child.is(namespace, group))
    .flatMap((child) => elementChildren(child))
    .filter((child) => child.namespace === namespace && names.includes(child.localName))
}
