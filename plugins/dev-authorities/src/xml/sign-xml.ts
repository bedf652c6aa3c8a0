import { createRequire } from 'node:module'
import type { Document } from '@xmldom/xmldom'
import type { Holder } from '../cms/signed-data.js'
import { digest, XML_DIGESTS, type XmlHashName } from '../hashes.js'

const require = createRequire(import.meta.url)

/** Parser and canonicalization, loaded on first use: startup needs neither. */
function xmlTools() {
  const { DOMParser }: typeof import('@xmldom/xmldom') = require('@xmldom/xmldom')
  const { C14nCanonicalization }: typeof import('xml-crypto') = require('xml-crypto')
  return { DOMParser, C14nCanonicalization }
}

/** Canonical XML 1.0 without comments. */
const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const XMLDSIG = 'http://www.w3.org/2000/09/xmldsig#'
const XADES = 'http://uri.etsi.org/01903/v1.3.2#'

export interface XmlOptions {
  readonly hash?: XmlHashName
  /** Carry a time stamp over the canonical SignatureValue element. */
  readonly timeStamp?: boolean
  /** Carry an OCSP answer about the signer. */
  readonly ocsp?: boolean
}

/** Evidence to embed, DER. */
export interface XmlEvidence {
  readonly timeStamp: Buffer | undefined
  readonly ocsp: Buffer | undefined
}

export interface SignedXml {
  /** The Signature element alone; it verifies by itself, without the document around it. */
  readonly signature: string
  /** What was digested: the bytes to send as the original. */
  readonly data: Buffer
  /** The document with the signature as the last child of its root element. */
  readonly document: string
}

/** Signs a document: one reference to the whole of it (URI=""), enveloped-signature, Canonical XML 1.0. */
export function signXml(
  document: string,
  signer: Holder,
  hash: XmlHashName,
  evidenceFor: (imprinted: Buffer) => XmlEvidence,
): SignedXml {
  const { DOMParser } = xmlTools()
  const parsed = new DOMParser({ onError: refuse }).parseFromString(document, 'text/xml')
  const canonical = canonicalize(parsed)
  const data = Buffer.from(canonical, 'utf8')
  const context = inheritedContext(parsed)
  const signedInfo = (attributes: string) =>
    `<ds:SignedInfo${attributes}><ds:CanonicalizationMethod Algorithm="${C14N}"></ds:CanonicalizationMethod>` +
    `<ds:SignatureMethod Algorithm="${signer.key.xmlMethod(hash)}"></ds:SignatureMethod>` +
    `<ds:Reference URI=""><ds:Transforms><ds:Transform Algorithm="${ENVELOPED}"></ds:Transform>` +
    `<ds:Transform Algorithm="${C14N}"></ds:Transform></ds:Transforms>` +
    `<ds:DigestMethod Algorithm="${XML_DIGESTS[hash]}"></ds:DigestMethod>` +
    `<ds:DigestValue>${digest(hash, data).toString('base64')}</ds:DigestValue></ds:Reference></ds:SignedInfo>`
  const value = signer.key.signXml(Buffer.from(signedInfo(context), 'utf8'), hash).toString('base64')
  const signatureValue = (attributes: string) => `<ds:SignatureValue${attributes}>${value}</ds:SignatureValue>`
  const certificate = signer.certificate.toString('base64')
  const signature =
    `<ds:Signature${context}>${signedInfo('')}${signatureValue('')}` +
    `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>` +
    `${unsignedProperties(evidenceFor(Buffer.from(signatureValue(context), 'utf8')))}</ds:Signature>`
  return { signature, data, document: insert(canonical, parsed, signature) }
}

/** XAdES properties that hold the evidence (EN 319 132-1 5.3, 5.4.2); nothing when there is none. */
function unsignedProperties({ timeStamp, ocsp }: XmlEvidence): string {
  if (timeStamp === undefined && ocsp === undefined) return ''
  const stamp =
    timeStamp && `<xades:EncapsulatedTimeStamp>${timeStamp.toString('base64')}</xades:EncapsulatedTimeStamp>`
  const answer = ocsp && `<xades:EncapsulatedOCSPValue>${ocsp.toString('base64')}</xades:EncapsulatedOCSPValue>`
  return (
    `<ds:Object><xades:QualifyingProperties xmlns:xades="${XADES}" Target="">` +
    '<xades:UnsignedProperties><xades:UnsignedSignatureProperties>' +
    (stamp ? `<xades:SignatureTimeStamp>${stamp}</xades:SignatureTimeStamp>` : '') +
    (answer ? `<xades:RevocationValues><xades:OCSPValues>${answer}</xades:OCSPValues></xades:RevocationValues>` : '') +
    '</xades:UnsignedSignatureProperties></xades:UnsignedProperties></xades:QualifyingProperties></ds:Object>'
  )
}

function refuse(level: string, message: string): void {
  if (level !== 'warning') throw new TypeError(`Not an XML document: ${message}`)
}

/** The document without its signature as Canonical XML 1.0: xml-crypto does elements, instructions around the root are ours. */
function canonicalize(document: Document): string {
  const { C14nCanonicalization } = xmlTools()
  let text = ''
  for (const node of document.childNodes) {
    if (node === document.documentElement) text += new C14nCanonicalization().process(node, {})
    else if (node.nodeType === node.PROCESSING_INSTRUCTION_NODE && node.nodeName !== 'xml') {
      const instruction = `<?${node.nodeName}${node.nodeValue ? ` ${node.nodeValue}` : ''}?>`
      text += text.endsWith('>') && !text.endsWith('?>') ? `\n${instruction}` : `${instruction}\n`
    }
  }
  return text
}

/**
 * What SignedInfo inherits from the root element when it is canonicalized: every namespace declaration and `xml:`
 * attribute. The Signature element repeats them, so that it has the same SignedInfo inside and outside the document.
 */
function inheritedContext(document: Document): string {
  const namespaces = new Map([['xmlns:ds', XMLDSIG]])
  const others = new Map<string, string>()
  for (const { name, value } of document.documentElement?.attributes ?? []) {
    if (name === 'xmlns' || name.startsWith('xmlns:')) namespaces.set(name, value)
    else if (name.startsWith('xml:')) others.set(name, value)
  }
  if (namespaces.get('xmlns:ds') !== XMLDSIG) throw new TypeError('The prefix ds is taken by another namespace')
  if (namespaces.get('xmlns') === '') namespaces.delete('xmlns')
  const sorted = (attributes: Map<string, string>) => [...attributes].sort(([a], [b]) => (a < b ? -1 : 1))
  return [...sorted(namespaces), ...sorted(others)]
    .map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
    .join('')
}

/** Attribute values as Canonical XML 1.0 (2.3) writes them. */
const escapeAttribute = (value: string) =>
  value
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/"/g, '&quot;')
    .replace(/[\t\n\r]/g, (space) => `&#x${space.charCodeAt(0).toString(16).toUpperCase()};`)

function insert(canonical: string, document: Document, signature: string): string {
  const at = canonical.lastIndexOf(`</${document.documentElement?.nodeName}>`)
  return canonical.slice(0, at) + signature + canonical.slice(at)
}
