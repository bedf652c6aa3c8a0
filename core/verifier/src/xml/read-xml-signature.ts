import type { ReadSignature } from '../signature.js'
import { COUNTERSIGNED } from './counter-signature.js'
import { XML_LIMITS } from './limits.js'
import { openSignature, readSigner, type XmlSignatureOptions } from './open-signature.js'
import { parseXml } from './parse-xml.js'
import { isToSignedProperties, requireSignedProperties } from './qualifying-properties.js'
import type { Reference } from './reference.js'
import { invalid, notParsed } from './refuse.js'
import { DSIG } from './signature-element.js'
import { checkReference, newCanonicalBudget, type ReferenceContext, referencedId } from './signed-content.js'
import { XmlIds } from './xml-ids.js'

/** A signature is kept whole; a document that it envelops has no place in it. */
const SIGNATURE_LIMITS = { ...XML_LIMITS, length: 262_144 }

/**
 * Reads an XML signature that stands alone: the ds:Signature element and nothing else (specification, POST /api rule 4).
 * Exactly one reference is to the document, which comes later "exactly as signed with all declared transformations
 * applied": URI `""`, none, or an identifier that is not in the signature. All others must be to parts of the signature
 * itself and are checked here. Signature value and signer are checked; the path, the time and the document are not.
 *
 * Throws `signatureNotParsed`, `invalidSignature`, `badSignerCertificate`, `algorithmNotTrusted`,
 * `signatureAlgorithmNotSupported`, `digestAlgorithmNotSupported`, `invalidTspTimeStamp` or `invalidOcspData`.
 */
export function readXmlSignature(xml: string, options: XmlSignatureOptions = {}): ReadSignature {
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
  }
  const { references } = open.info
  const outside = references.filter((reference) => isOutside(reference, context))
  const [toDocument, ...others] = outside
  if (toDocument === undefined) throw notParsed('documentReferenceMissing')
  if (others.length > 0) throw notParsed('severalDocumentReferences')
  requireContent(toDocument)
  const signature = readSigner(open, ids, options)
  const contents = references
    .filter((reference) => reference !== toDocument)
    .map((reference) => checkReference(reference, context))
  requireSignedProperties(open.properties, contents)
  return {
    ...signature,
    kept: Buffer.from(xml.slice(document.rootStart, document.rootEnd), 'utf8'),
    digests: [{ oid: toDocument.digest.oid, value: toDocument.digestValue }],
  }
}

/** Whether a reference is to the document that the signature was taken from. */
function isOutside({ uri }: Reference, { ids, signature }: ReferenceContext): boolean {
  if (uri === undefined || uri === '' || uri === '#xpointer(/)') return true
  const id = referencedId(uri)
  if (id === undefined) throw notParsed('externalReference', { uri })
  const target = ids.find(id)
  if (target === signature.element) throw notParsed('referenceToSignature')
  return target === undefined
}

/**
 * What says that it is a part of the signature is no document: whoever takes that part out of an enveloping signature
 * would turn the signature into one of that part.
 */
function requireContent(reference: Reference): void {
  if (isToSignedProperties(reference)) throw invalid('signedPropertiesMisplaced')
  if (reference.type === `${DSIG}SignatureProperties`) throw notParsed('documentReferenceMissing')
  if (reference.type === `${DSIG}Manifest`) throw notParsed('manifest')
  if (reference.type === COUNTERSIGNED) throw notParsed('counterSignature')
}
