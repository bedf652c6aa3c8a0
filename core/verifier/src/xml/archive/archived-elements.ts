import { DerError } from '../../der/reader.js'
import { RegistryError } from '../../error.js'
import { decodeBase64 } from '../base64.js'
import { textContent } from '../element-content.js'
import { XmlElement } from '../node.js'
import { basicResponse } from '../ocsp-value.js'

/** Elements of XMLDSig and XAdES with a certificate, a time stamp, an answer or a CRL in base64. */
const EVIDENCE =
  /^(?:X509Certificate|EncapsulatedX509Certificate|EncapsulatedTimeStamp|EncapsulatedOCSPValue|EncapsulatedCRLValue)$/

/** Whether octets are among the pieces of evidence in these elements. */
export function archivedElements(elements: readonly XmlElement[]): (octets: Uint8Array) => boolean {
  const found = new Set<string>()
  for (const element of elements) collect(element, found)
  return (octets) => found.has(keyOf(octets))
}

const keyOf = (octets: Uint8Array): string => Buffer.from(octets).toString('latin1')

function collect(element: XmlElement, found: Set<string>): void {
  if (!EVIDENCE.test(element.localName)) {
    for (const child of element.children) if (child instanceof XmlElement) collect(child, found)
    return
  }
  const octets = decodeBase64(textContent(element))
  if (octets === undefined) return
  found.add(keyOf(octets))
  if (element.localName === 'EncapsulatedOCSPValue') found.add(keyOf(responseIn(octets)))
}

function responseIn(octets: Buffer): Uint8Array {
  try {
    return basicResponse(octets)
  } catch (error) {
    if (error instanceof DerError || error instanceof RegistryError) return octets
    throw error
  }
}
