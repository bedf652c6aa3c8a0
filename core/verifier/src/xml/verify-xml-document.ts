import { RegistryError } from '../error.js'
import type { ReadSignature } from '../signature.js'
import { type XmlDocument, XmlElement } from './node.js'
import { openSignature, readSigner, type XmlSignatureOptions } from './open-signature.js'
import { parseXml } from './parse-xml.js'
import { requireSignedProperties } from './qualifying-properties.js'
import { invalid, notParsed } from './refuse.js'
import { DSIG, type SignatureElement } from './signature-element.js'
import { checkReference, newCanonicalBudget, type ReferenceContext, type SignedContent } from './signed-content.js'
import { XmlIds } from './xml-ids.js'

const MAX_SIGNATURES = 16
const MANIFEST = `${DSIG}Manifest`

/** A whole XML document with a signature that holds; whether to trust the signer is still open. */
export interface VerifiedXml {
  readonly signature: ReadSignature
  /**
   * `document`: everything but the signature itself is signed; `element`: only `signedBytes` are, the rest is anybody's;
   * `detached`: `contents` are, which stand outside, and nothing of the document.
   */
  readonly covers: 'document' | 'element' | 'detached'
  /** The canonical bytes that were digested. Read what was signed from these, never from the document. */
  readonly signedBytes: Uint8Array
  /** Canonical bytes of every reference to content, in the order of SignedInfo; `signedBytes` are among them. */
  readonly contents: readonly Uint8Array[]
  /** The URI of each of them, as SignedInfo has it. */
  readonly uris: readonly (string | undefined)[]
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
 * Verifies every signature of a document, in its order; one that does not hold refuses the document. Each is over the
 * document as it was when it was signed: signatures that hold and were added later are judged as absent, wherever they
 * stand. At most 16, none inside another.
 */
export const verifyXmlSignatures = (xml: string, options: XmlSignatureOptions = {}): VerifiedXml[] =>
  readXmlSignatures(xml, options).map((read) => read())

/**
 * As `verifyXmlSignatures`, each verified when called, so that what one is refused for is not another's. What is wrong
 * with the document as a whole is thrown at once.
 */
export function readXmlSignatures(xml: string, options: XmlSignatureOptions = {}): readonly (() => VerifiedXml)[] {
  const document = parseXml(xml, options.limits)
  const elements = signaturesIn(document.root)
  if (elements.length === 0) throw notParsed('signatureMissing')
  if (elements.length > MAX_SIGNATURES) throw notParsed('tooManySignatures', { most: MAX_SIGNATURES })
  if (elements.some((element) => element.parent !== undefined && isWithinAny(element.parent, elements))) {
    throw notParsed('nestedSignatures')
  }
  const outcomes = new OrderOfSigning(new DocumentVerifier(xml, document, options)).judge(elements)
  return elements.map((element) => outcomes.get(element) ?? refuse(notParsed('signatureMissing')))
}

type Outcome = () => VerifiedXml

const refuse =
  (error: unknown): Outcome =>
  () => {
    throw error
  }

/** Finds out which signatures were added after which: nothing says so but the digests. */
class OrderOfSigning {
  /** Signatures that hold; only these are ever left out of what another one is over. */
  private readonly held = new Map<XmlElement, VerifiedXml>()
  private readonly outcomes = new Map<XmlElement, Outcome>()

  constructor(private readonly verifier: DocumentVerifier) {}

  judge(elements: readonly XmlElement[]): ReadonlyMap<XmlElement, Outcome> {
    // Most often each new signature stands behind those before it.
    let left = elements.toReversed()
    for (let before = -1; before !== this.held.size && left.length > 0; ) {
      before = this.held.size
      left = left.filter((element) => !this.isSettled(element))
    }
    return this.outcomes
  }

  /** Whether there is no use in looking at a signature again when others turned out to be later. */
  private isSettled(element: XmlElement): boolean {
    for (const later of this.suppositions()) {
      try {
        const verified = this.verifier.verify(element, later)
        this.held.set(element, verified)
        this.outcomes.set(element, () => verified)
        return true
      } catch (error) {
        this.outcomes.set(element, refuse(error))
        if (!(error instanceof RegistryError) || error.details?.reason !== 'digest') return true
      }
    }
    return false
  }

  /** All that hold were added later; none was; those over the whole document were, and not those over a part of it. */
  private suppositions(): ReadonlySet<XmlElement>[] {
    const all = [...this.held]
    const whole = all.filter(([, { covers }]) => covers === 'document')
    const sets = [all, [], whole].map((entries) => new Set(entries.map(([element]) => element)))
    return sets.filter((set, index) => sets.findIndex(({ size }) => size === set.size) === index)
  }
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
    const { resolve, covers = 'document' } = this.options
    const context: ReferenceContext = { document, ids, signature: open.parts, later, budget, resolve }
    const contents = open.info.references.map((reference) => checkReference(reference, context))
    requireSignedProperties(open.properties, contents)
    const signed = contents.filter((content) => isContent(content, open.parts))
    const whole = signed.find(({ apex }) => isWhole(apex, document, element))
    const main = whole ?? signed.find(({ apex }) => !isWithin(apex, element)) ?? signed[0]
    if (main === undefined) throw notParsed('documentReferenceMissing')
    const isDetached = signed.every(({ apex }) => apex === undefined)
    if (whole === undefined && !isDetached && covers === 'document') throw invalid('coversElement')
    return {
      signature: {
        ...signature,
        kept: Buffer.from(this.xml, 'utf8'),
        digests: signed.map(({ reference }) => ({ oid: reference.digest.oid, value: reference.digestValue })),
        references: signed.map(({ reference }) => reference.uri ?? ''),
      },
      covers: whole !== undefined ? 'document' : isDetached ? 'detached' : 'element',
      signedBytes: main.bytes,
      contents: signed.map(({ bytes }) => bytes),
      uris: signed.map(({ reference }) => reference.uri),
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

const isWhole = (apex: SignedContent['apex'], document: XmlDocument, signature: XmlElement): boolean =>
  signature !== document.root && (apex === document || apex === document.root)

function isWithin(apex: SignedContent['apex'], ancestor: XmlElement): apex is XmlElement {
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
