import type { Holder } from '#dev-authorities/cms/signed-data.js'
import { generalizedTime } from '#dev-authorities/der/writer.js'
import { DEFAULT_CANONICALIZATION } from '#verifier/xml/canonicalization-method.js'
import { canonicalize } from '#verifier/xml/canonicalize.js'
import { XmlElement } from '#verifier/xml/node.js'
import { parseXml } from '#verifier/xml/parse-xml.js'
import { tokenOf, tstInfo } from '../pki/tokens.js'

/** Who archives an XML signature, when, and over which octets of its references. */
export interface XmlArchiving {
  readonly by: Holder
  readonly at: number
  readonly references: readonly Uint8Array[]
}

/** A document with an xades141:ArchiveTimeStamp (EN 319 132-1, 5.5.2) behind the unsigned properties of its one signature. */
export function archivedXml(xml: string, { by, at, references }: XmlArchiving): string {
  const all = elementsIn(parseXml(xml).root)
  const written = (name: string) =>
    all.filter(({ localName }) => localName === name).map((element) => canonicalize(element, DEFAULT_CANONICALIZATION))
  const [group] = all.filter(({ localName }) => localName === 'UnsignedSignatureProperties')
  const properties = (group?.children ?? []).filter((child) => child instanceof XmlElement)
  const octets = Buffer.concat([
    ...references,
    ...['SignedInfo', 'SignatureValue', 'KeyInfo'].flatMap(written),
    ...properties.map((property) => canonicalize(property, DEFAULT_CANONICALIZATION)),
  ])
  const token = tokenOf(by, tstInfo(octets, { genTime: generalizedTime(at) })).toString('base64')
  const stamp = `<xades:EncapsulatedTimeStamp>${token}</xades:EncapsulatedTimeStamp>`
  const property = `<a:ArchiveTimeStamp xmlns:a="http://uri.etsi.org/01903/v1.4.1#">${stamp}</a:ArchiveTimeStamp>`
  return xml.replace('</xades:UnsignedSignatureProperties>', `${property}</xades:UnsignedSignatureProperties>`)
}

const elementsIn = (element: XmlElement): XmlElement[] => [
  element,
  ...element.children.flatMap((child) => (child instanceof XmlElement ? elementsIn(child) : [])),
]
