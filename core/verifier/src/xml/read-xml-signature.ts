import type { RegistryError } from '../error.js'
import { type ReadSignature, withArchives } from '../signature.js'
import { xadesArchives } from './archive/xades-archive.js'
import { COUNTERSIGNED } from './counter-signature.js'
import { isExternal, signedDigest } from './external-content.js'
import { XML_LIMITS } from './limits.js'
import type { XmlElement } from './node.js'
import { type OpenSignature, openSignature, readSigner, type XmlSignatureOptions } from './open-signature.js'
import { parseXml } from './parse-xml.js'
import { isToSignedProperties, requireSignedProperties } from './qualifying-properties.js'
import type { Reference } from './reference.js'
import { DSIG } from './signature-element.js'
import { checkReference, newCanonicalBudget, type ReferenceContext, referencedId } from './signed-content.js'
import { invalid, notParsed } from './xml-errors.js'
import { XmlIds } from './xml-ids.js'

/** The signature is stored, so it must not envelop a document. */
const SIGNATURE_LIMITS = { ...XML_LIMITS, length: 262_144 }

/**
 * Reads an XML signature that stands alone: the ds:Signature element and nothing else (specification, POST /api rule 4).
 * Exactly one reference is to the document, which comes later "exactly as signed with all declared transformations
 * applied": URI `""`, none, or an identifier that is not in the signature; with `externalDocument` also the URI of a file; with
 * `documentUri` that one.
 * All others must be to parts of the signature itself or to files that `resolve` returns, and are verified here, as are
 * signature value and signer; path, time and document are not.
 *
 * Throws `signatureNotParsed`, `invalidSignature`, `badSignerCertificate`, `algorithmNotTrusted`,
 * `signatureAlgorithmNotSupported`, `digestAlgorithmNotSupported`, `invalidTspTimeStamp` or `invalidOcspData`.
 */
export const readXmlSignature = (xml: string, options: XmlSignatureOptions = {}): ReadSignature =>
  readXmlAlone(xml, options).signature

/** As `readXmlSignature`; `detached` if `resolve` returned some or all of the signed files. */
export function readXmlAlone(
  xml: string,
  options: XmlSignatureOptions,
): { readonly signature: ReadSignature; readonly covers: 'document' | 'detached' } {
  const document = parseXml(xml, options.limits ?? SIGNATURE_LIMITS)
  if (document.children.length > 1) throw notParsed('notSignatureAlone')
  const ids = new XmlIds(document.root)
  const open = openSignature(document.root, options)
  const context: ReferenceContext = {
    document,
    ids,
    signature: open.parts,
    later: new Set(),
    budget: newCanonicalBudget(),
    resolve: options.resolve,
  }
  const { references } = open.info
  const outside = references.filter((reference) => isOutside(reference, context, options))
  const toDocument = documentAmong(outside, options)
  const files = references.filter(({ uri }) => isExternal(uri))
  const due = toDocument === undefined ? files : [toDocument]
  if (due.length === 0) throw notParsed(isEnveloping(open, ids) ? 'enveloping' : 'documentReferenceMissing')
  for (const reference of [...due, ...files]) requireContent(reference)
  const signature = readSigner(open, ids, options)
  const contents = references.map((reference) =>
    outside.includes(reference) ? undefined : checkReference(reference, context),
  )
  requireSignedProperties(
    open.properties,
    contents.filter((content) => content !== undefined),
  )
  const covers = files.some((reference) => !outside.includes(reference)) ? 'detached' : 'document'
  return {
    signature: {
      ...withArchives(signature, xadesArchives(open, contents)),
      kept: Buffer.from(xml.slice(document.rootStart, document.rootEnd), 'utf8'),
      digests: due.map(signedDigest),
      references: due.map(({ uri = '' }) => uri),
    },
    covers,
  }
}

/** The reference to the document among those to what is not in the signature; `undefined` where there are none. */
function documentAmong(
  outside: readonly Reference[],
  { documentUri }: Pick<XmlSignatureOptions, 'documentUri'>,
): Reference | undefined {
  const own = documentUri === undefined ? outside : outside.filter(({ uri }) => uri === documentUri)
  const [toDocument, ...others] = own
  if (others.length > 0 || outside.some((one) => one !== toDocument && !isExternal(one.uri)))
    throw severalReferences(outside)
  if (documentUri !== undefined && toDocument === undefined) throw notParsed('documentReferenceMissing')
  return toDocument
}

/** Whether it signs only data in its own Objects. */
const isEnveloping = ({ parts, info, properties }: OpenSignature, ids: XmlIds): boolean =>
  info.references.some(({ uri = '' }) => {
    const target = ids.find(referencedId(uri) ?? '')
    const objects = parts.objects.filter((object) => !holds(object, properties?.element))
    return target !== undefined && objects.some((object) => holds(object, target))
  })

const holds = (object: XmlElement, element: XmlElement | undefined): boolean => {
  for (let node = element; node !== undefined; node = node.parent) if (node === object) return true
  return false
}

/** Whether a reference is to the document that the signature was taken from or belongs to. */
function isOutside(
  { uri }: Reference,
  { ids, signature, resolve }: ReferenceContext,
  { externalDocument, documentUri }: XmlSignatureOptions,
): boolean {
  if (uri === undefined || uri === '' || uri === '#xpointer(/)') return true
  if (isExternal(uri)) {
    if (resolve?.(uri) !== undefined) return false
    if (externalDocument === undefined && documentUri === undefined) throw notParsed('externalReference', { uri })
    return true
  }
  const id = referencedId(uri)
  if (id === undefined) throw notParsed('xpointer', { uri })
  const target = ids.find(id)
  if (target === signature.element) throw notParsed('referenceToSignature')
  return target === undefined
}

/** The error for several missing documents; for files it names the first. */
function severalReferences(outside: readonly Reference[]): RegistryError {
  const missing = outside.find(({ uri }) => isExternal(uri))
  return missing === undefined
    ? notParsed('severalDocumentReferences')
    : notParsed('externalReference', { uri: missing.uri })
}

/**
 * Refuses a reference typed as a part of the signature: otherwise a part cut out of an enveloping signature could be presented
 * as its document.
 */
function requireContent(reference: Reference): void {
  if (isToSignedProperties(reference)) throw invalid('signedPropertiesMisplaced')
  if (reference.type === `${DSIG}SignatureProperties`) throw notParsed('documentReferenceMissing')
  if (reference.type === `${DSIG}Manifest`) throw notParsed('manifest')
  if (reference.type === COUNTERSIGNED) throw notParsed('counterSignature')
}
