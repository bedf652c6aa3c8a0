import { createHash } from 'node:crypto'
import type { DevAuthorities, Subject } from '@signed-registry/dev-authorities'
import { DEFAULT_CANONICALIZATION } from '#verifier/xml/canonicalization-method.js'
import { canonicalize } from '#verifier/xml/canonicalize.js'
import { parseXml } from '#verifier/xml/parse-xml.js'
import { descendants, signatureTemplate, signTemplate } from '../xml/sign-template.js'
import { type ZipPart, zipOf } from './write-zip.js'

const ASIC = 'http://uri.etsi.org/02918/v1.2.1#'
const XADES = 'http://uri.etsi.org/01903/v1.3.2#'
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
const EVIDENCE = { timeStamp: true, ocsp: true }

export const ASIC_S = 'application/vnd.etsi.asic-s+zip'
export const ASIC_E = 'application/vnd.etsi.asic-e+zip'

/** A file of a container. */
export interface DataFile {
  readonly name: string
  readonly content: Buffer
}

const hash = (content: Buffer): string => createHash('sha256').update(content).digest('base64')

export const mediaType = (content: string): ZipPart => ({ name: 'mimetype', content })
export const dataPart = ({ name, content }: DataFile): ZipPart => ({ name, content, deflated: true, streamed: true })

/** A manifest (EN 319 162-1, A.4), which may lie about digests. */
export function manifest(
  signature: string,
  files: readonly DataFile[],
  { digest = hash, type = 'application/pkcs7-signature' } = {},
): Buffer {
  const entries = files.map(
    ({ name, content }) =>
      `<asic:DataObjectReference URI="${encodeURI(name)}" MimeType="application/octet-stream"><ds:DigestMethod Algorithm="${SHA256}"/>` +
      `<ds:DigestValue>${digest(content)}</ds:DigestValue></asic:DataObjectReference>`,
  )
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><asic:ASiCManifest xmlns:asic="${ASIC}" xmlns:ds="http://www.w3.org/2000/09/xmldsig#">` +
      `<asic:SigReference URI="${signature}" MimeType="${type}"/>${entries.join('')}</asic:ASiCManifest>`,
  )
}

/** A container with one CMS over a manifest for each signer. */
export function cadesParts(signers: readonly Subject[], files: readonly DataFile[]): ZipPart[] {
  return signers.flatMap((signer, index) => {
    const name = `META-INF/signature${index}.p7s`
    const own = manifest(name, files)
    return [
      { name: `META-INF/ASiCManifest${index}.xml`, content: own },
      { name, content: signer.signCms(own, EVIDENCE) },
    ]
  })
}

/** ASiC-E with CAdES. */
export const asicE = (signers: readonly Subject[], files: readonly DataFile[]): Buffer =>
  zipOf([mediaType(ASIC_E), ...files.map(dataPart), ...cadesParts(signers, files)])

/** ASiC-S with CAdES. */
export const asicS = (signer: Subject, file: DataFile): Buffer =>
  zipOf([
    mediaType(ASIC_S),
    dataPart(file),
    { name: 'META-INF/signature.p7s', content: signer.signCms(file.content, EVIDENCE) },
  ])

/** `META-INF/signatures.xml` as in Estonia: XAdES with references to files, in a common element (EN 319 162-1, A.5). */
export function xadesFile(
  authorities: DevAuthorities,
  signers: readonly Subject[],
  files: readonly DataFile[],
): Buffer {
  const open = `<asic:XAdESSignatures xmlns:asic="${ASIC}" xmlns:xades="${XADES}">`
  let signatures = ''
  for (const [index, signer] of signers.entries()) {
    const properties =
      `<ds:Object><xades:QualifyingProperties Target="#S${index}"><xades:SignedProperties Id="P${index}"><xades:SignedSignatureProperties>` +
      `<xades:SigningCertificateV2><xades:Cert><xades:CertDigest><ds:DigestMethod Algorithm="${SHA256}"/><ds:DigestValue>${hash(signer.certificate)}</ds:DigestValue></xades:CertDigest></xades:Cert></xades:SigningCertificateV2>` +
      `</xades:SignedSignatureProperties></xades:SignedProperties><xades:UnsignedProperties><xades:UnsignedSignatureProperties></xades:UnsignedSignatureProperties></xades:UnsignedProperties></xades:QualifyingProperties></ds:Object>`
    const template = signatureTemplate(signer, {
      id: `S${index}`,
      references: [
        ...files.map(({ name, content }) => ({ uri: ` URI="${encodeURI(name)}"`, digestValue: hash(content) })),
        { uri: ` URI="#P${index}"`, type: 'http://uri.etsi.org/01903#SignedProperties', transforms: [] },
      ],
      objects: properties,
    })
    const signed = signTemplate(`${open}${signatures}${template}</asic:XAdESSignatures>`, signer)
    const value = descendants(parseXml(signed).root).filter(({ localName }) => localName === 'SignatureValue')[index]
    if (value === undefined) throw new TypeError('nothing was signed')
    const stamp = authorities.tsa.stamp(canonicalize(value, DEFAULT_CANONICALIZATION)).toString('base64')
    const answer = authorities.ocsp.status(signer.certificate, signer.issuer).toString('base64')
    const evidence =
      `<xades:SignatureTimeStamp><xades:EncapsulatedTimeStamp>${stamp}</xades:EncapsulatedTimeStamp></xades:SignatureTimeStamp>` +
      `<xades:RevocationValues><xades:OCSPValues><xades:EncapsulatedOCSPValue>${answer}</xades:EncapsulatedOCSPValue></xades:OCSPValues></xades:RevocationValues>`
    signatures = signed
      .slice(open.length, -'</asic:XAdESSignatures>'.length)
      .replace('<xades:UnsignedSignatureProperties></', `<xades:UnsignedSignatureProperties>${evidence}</`)
  }
  return Buffer.from(`${open}${signatures}</asic:XAdESSignatures>`)
}

/** What lists the files of a container, and nobody signs (OpenDocument). */
export const fileList = (names: readonly string[]): Buffer =>
  Buffer.from(
    `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="${ASIC_E}"/>` +
      `${names.map((name) => `<manifest:file-entry manifest:full-path="${name}" manifest:media-type="application/octet-stream"/>`).join('')}</manifest:manifest>`,
  )

/** A container as Estonia writes it: ASiC-E with XAdES, and a list of its files. */
export const estonian = (
  authorities: DevAuthorities,
  signers: readonly Subject[],
  files: readonly DataFile[],
): Buffer =>
  zipOf([
    mediaType(ASIC_E),
    { name: 'META-INF/manifest.xml', content: fileList(files.map(({ name }) => name)) },
    ...files.map(dataPart),
    { name: 'META-INF/signatures0.xml', content: xadesFile(authorities, signers, files) },
  ])
