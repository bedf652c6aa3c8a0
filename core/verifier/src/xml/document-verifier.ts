import { type ReadSignature, withArchives } from '../signature.js'
import { xadesArchives } from './archive/xades-archive.js'
import { countersignedBy, requireCountersigned } from './counter-signature.js'
import { isExternal, signedDigest } from './external-content.js'
import type { FoundSignature } from './find-signatures.js'
import { type XmlDocument, XmlElement, type XmlNode, XmlText } from './node.js'
import { type OpenSignature, openSignature, readSigner, type XmlSignatureOptions } from './open-signature.js'
import { requireSignedProperties } from './qualifying-properties.js'
import { DSIG, type SignatureElement } from './signature-element.js'
import { checkReference, newCanonicalBudget, type ReferenceContext, type SignedContent } from './signed-content.js'
import { invalid, notParsed } from './xml-errors.js'
import { XmlIds } from './xml-ids.js'

const MANIFEST = `${DSIG}Manifest`

/** An XML document with a valid signature; the signer is not trusted yet. */
export interface VerifiedXml {
  readonly signature: ReadSignature
  /**
   * `document`: everything is signed except the signature itself and others that sign all they contain; `element`: only
   * `signedBytes` are signed; `detached`: `contents`, which are outside, and nothing in the document; `signature`: a
   * counter-signature, over the value of another signature only.
   */
  readonly covers: 'document' | 'element' | 'detached' | 'signature'
  /** The canonical bytes that were digested. Read what was signed from these, never from the document. */
  readonly signedBytes: Uint8Array
  /** Whether `signedBytes` are not at hand: they are of a file of which only digests were given. */
  readonly byDigest: boolean
  /** Canonical bytes of every reference to content, in the order of SignedInfo; `signedBytes` are among them. */
  readonly contents: readonly Uint8Array[]
  /** The URI of each of them, as SignedInfo has it. */
  readonly uris: readonly (string | undefined)[]
}

/** A valid signature, and how it relates to others in its document. */
export interface ValidSignature {
  readonly verified: VerifiedXml
  /** What its Objects contain. */
  readonly objects: CarriedObjects
  /** Whether this signature does not cover another one. */
  readonly leavesOut: (other: XmlElement) => boolean
}

/** State shared by the signatures of a document: an index of identifiers and a budget for canonicalization. */
export class DocumentVerifier {
  private readonly ids: XmlIds
  private readonly budget = newCanonicalBudget()

  constructor(
    private readonly xml: string,
    private readonly document: XmlDocument,
    private readonly options: XmlSignatureOptions,
  ) {
    this.ids = new XmlIds(document.root)
  }

  /** Verifies one signature over the document without the signatures added `later`. */
  verify(found: FoundSignature, later: ReadonlySet<XmlElement>): ValidSignature {
    const { document, ids, budget } = this
    const { element } = found
    const open = openSignature(element, this.options)
    const signature = readSigner(open, ids, this.options)
    const resolve = this.resolverFor(open)
    const context: ReferenceContext = { document, ids, signature: open.parts, later, budget, resolve }
    const contents = open.info.references.map((reference) => checkReference(reference, context))
    requireSignedProperties(open.properties, contents)
    const signed = contents.filter((content) => isContent(content, open.parts))
    requireCountersigned(found, signed)
    const covered = this.coverage(found, signed)
    const withoutSignatures = covered.main.reference.transforms.withoutSignatures
    return {
      verified: {
        signature: {
          ...withArchives(signature, xadesArchives(open, contents)),
          kept: Buffer.from(this.xml, 'utf8'),
          digests: signed.map(({ reference }) => signedDigest(reference)),
          references: signed.map(({ reference }) => reference.uri ?? ''),
        },
        covers: covered.covers,
        signedBytes: covered.main.bytes,
        byDigest: covered.main.byDigest,
        contents: signed.map(({ bytes }) => bytes),
        uris: signed.map(({ reference }) => reference.uri),
      },
      objects: carriedObjects(open, contents),
      leavesOut: (other) => other !== element && (withoutSignatures || later.has(other)),
    }
  }

  /** The given document stands for the single external reference that `resolve` cannot find. */
  private resolverFor({ info }: OpenSignature): XmlSignatureOptions['resolve'] {
    const { resolve, externalDocument } = this.options
    if (!(externalDocument instanceof Uint8Array)) return resolve
    const outside = info.references.filter(({ uri }) => isExternal(uri) && resolve?.(uri) === undefined)
    return (uri) => resolve?.(uri) ?? (outside.length === 1 ? externalDocument : undefined)
  }

  /** The coverage of the references, and the main one among them. */
  private coverage({ element }: FoundSignature, signed: readonly SignedContent[]) {
    const others = signed.filter((content) => countersignedBy(content, element) === undefined)
    const overDocument = others.find(({ apex }) => isWhole(apex, this.document, element))
    const main = overDocument ?? others.find(({ apex }) => !isWithin(apex, element)) ?? others[0] ?? signed[0]
    if (main === undefined) throw notParsed('documentReferenceMissing')
    if (others.length === 0) return { covers: 'signature', main } as const
    if (overDocument !== undefined) return { covers: 'document', main } as const
    if (others.every(({ apex }) => apex === undefined)) return { covers: 'detached', main } as const
    requireElement(this.options)
    return { covers: 'element', main } as const
  }
}

/** Refuses a signature over a part of its document unless a part is asked for. */
export function requireElement({ covers = 'document' }: XmlSignatureOptions): void {
  if (covers === 'document') throw invalid('coversElement')
}

/** Whether a reference is to content, as opposed to properties or key of the signature. Manifests, whose digests nobody checks, are refused. */
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

/**
 * What the Objects of a signature contain: only its XAdES `properties`, also data that it signs (`signed`), or data that it
 * does not sign (`unsigned`), which anybody may have added.
 */
type CarriedObjects = 'properties' | 'signed' | 'unsigned'

/** Classifies the Objects of a signature whose references cover `contents`. */
function carriedObjects({ parts, properties }: OpenSignature, contents: readonly SignedContent[]): CarriedObjects {
  const covered = new Set(contents.map(({ apex }) => apex))
  const others = parts.objects.flatMap((object) =>
    covered.has(object) ? [object] : object.children.filter((child) => isData(child, properties?.element)),
  )
  if (others.length === 0) return 'properties'
  return others.every((other) => other instanceof XmlElement && covered.has(other)) ? 'signed' : 'unsigned'
}

const isData = (child: XmlNode, properties: XmlElement | undefined): boolean =>
  child instanceof XmlElement ? child !== properties : child instanceof XmlText && child.value.trim() !== ''
