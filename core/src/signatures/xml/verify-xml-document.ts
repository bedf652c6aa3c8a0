import type { ReadSignature } from '../signature.js'
import { type XmlDocument, XmlElement } from './node.js'
import { openSignature, readSigner, type XmlSignatureOptions } from './open-signature.js'
import { parseXml } from './parse-xml.js'
import { requireSignedProperties } from './qualifying-properties.js'
import { notParsed } from './refuse.js'
import { DSIG, type SignatureElement } from './signature-element.js'
import { checkReference, newCanonicalBudget, type ReferenceContext, type SignedContent } from './signed-content.js'
import { XmlIds } from './xml-ids.js'

const MOST_SIGNATURES = 16
const MANIFEST = `${DSIG}Manifest`

/** A whole XML document with a signature that holds; whether to trust the signer is still open. */
export interface VerifiedXml {
  readonly signature: ReadSignature
  /** `document`: everything but the signature itself is signed; `element`: only `signedBytes` are, the rest is anybody's. */
  readonly covers: 'document' | 'element'
  /** The canonical bytes that were digested. Read what was signed from these, never from the document. */
  readonly signedBytes: Uint8Array
  /** Canonical bytes of every reference to content, in the order of SignedInfo; `signedBytes` are among them. */
  readonly contents: readonly Uint8Array[]
}

/**
 * Verifies a document that holds exactly one signature: enveloped in it, enveloping it, or beside the signed element.
 * Throws as `readXmlSignature` does, and `signatureNotParsed` with reason `severalSignatures`.
 */
export function verifyXmlDocument(xml: string, options: XmlSignatureOptions = {}): VerifiedXml {
  const document = parseXml(xml, options.limits)
  const [element, ...others] = signaturesIn(document.root)
  if (element === undefined) throw notParsed('signatureMissing')
  if (others.length > 0) throw notParsed('severalSignatures')
  return new DocumentVerifier(xml, document, options).verify(element, new Set())
}

/**
 * Verifies every signature of a document, in its order. The last is judged first and then taken away, so that each is
 * over the document as it was when it was signed; one that does not hold refuses the document. At most 16, none inside
 * another.
 */
export function verifyXmlSignatures(xml: string, options: XmlSignatureOptions = {}): VerifiedXml[] {
  const document = parseXml(xml, options.limits)
  const elements = signaturesIn(document.root)
  if (elements.length === 0) throw notParsed('signatureMissing')
  if (elements.length > MOST_SIGNATURES) throw notParsed('tooManySignatures', { most: MOST_SIGNATURES })
  if (elements.some((element) => element.parent !== undefined && isWithinAny(element.parent, elements))) {
    throw notParsed('nestedSignatures')
  }
  const verifier = new DocumentVerifier(xml, document, options)
  const later = new Set<XmlElement>()
  const verified: VerifiedXml[] = []
  for (const element of elements.toReversed()) {
    verified.unshift(verifier.verify(element, later))
    later.add(element)
  }
  return verified
}

/** What the signatures of one document share: identifiers are indexed once, and canonical forms have one budget. */
class DocumentVerifier {
  private readonly ids: XmlIds
  private readonly budget = newCanonicalBudget()

  constructor(
    private readonly xml: string,
    private readonly document: XmlDocument,
    private readonly options: XmlSignatureOptions,
  ) {
    this.ids = new XmlIds(document.root)
  }

  verify(element: XmlElement, later: ReadonlySet<XmlElement>): VerifiedXml {
    const { document, ids, budget } = this
    const open = openSignature(element, this.options)
    const signature = readSigner(open, ids, this.options)
    const context: ReferenceContext = { document, ids, signature: open.parts, later, budget }
    const contents = open.info.references.map((reference) => checkReference(reference, context))
    requireSignedProperties(open.properties, contents)
    const signed = contents.filter((content) => isContent(content, open.parts))
    const whole = signed.find(({ apex }) => isWhole(apex, document, element))
    const main = whole ?? signed.find(({ apex }) => !isWithin(apex, element)) ?? signed[0]
    if (main === undefined) throw notParsed('documentReferenceMissing')
    return {
      signature: {
        ...signature,
        kept: Buffer.from(this.xml, 'utf8'),
        digests: signed.map(({ reference }) => ({ oid: reference.digest.oid, value: reference.digestValue })),
      },
      covers: whole === undefined ? 'element' : 'document',
      signedBytes: main.bytes,
      contents: signed.map(({ bytes }) => bytes),
    }
  }
}

/** Content, as opposed to properties and key of the signature itself. A manifest only lists digests that nobody checks. */
function isContent({ reference, apex }: SignedContent, { element, keyInfo }: SignatureElement): boolean {
  if (apex === element) throw notParsed('referenceToSignature')
  const isManifest = apex instanceof XmlElement && apex.is(DSIG, 'Manifest')
  if (isManifest || reference.type === MANIFEST) throw notParsed('manifest')
  if (!isWithin(apex, element)) return true
  if (keyInfo !== undefined && isWithin(apex, keyInfo)) return false
  for (let node: XmlElement | undefined = apex; node !== undefined && node !== element; node = node.parent) {
    if (/^(?:QualifyingProperties|SignatureProperties|SignatureProperty)$/.test(node.localName)) return false
  }
  return true
}

const isWhole = (apex: XmlDocument | XmlElement, document: XmlDocument, signature: XmlElement): boolean =>
  signature !== document.root && (apex === document || apex === document.root)

function isWithin(apex: XmlDocument | XmlElement, ancestor: XmlElement): apex is XmlElement {
  if (!(apex instanceof XmlElement)) return false
  for (let node: XmlElement | undefined = apex; node !== undefined; node = node.parent) {
    if (node === ancestor) return true
  }
  return false
}

const isWithinAny = (element: XmlElement, ancestors: readonly XmlElement[]): boolean =>
  ancestors.some((ancestor) => isWithin(element, ancestor))

function signaturesIn(root: XmlElement): XmlElement[] {
  const found: XmlElement[] = []
  const visit = (element: XmlElement): void => {
    if (element.is(DSIG, 'Signature')) found.push(element)
    for (const child of element.children) if (child instanceof XmlElement) visit(child)
  }
  visit(root)
  return found
}
