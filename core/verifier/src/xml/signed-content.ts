import type { DocumentContent } from '../document-content.js'
import { DEFAULT_CANONICALIZATION } from './canonicalization-method.js'
import { canonicalize } from './canonicalize.js'
import { base64Content } from './element-content.js'
import { externalContent, isExternal } from './external-content.js'
import { type XmlDocument, XmlElement } from './node.js'
import type { Reference } from './reference.js'
import { DSIG, type SignatureElement } from './signature-element.js'
import { invalid, notParsed } from './xml-errors.js'
import type { XmlIds } from './xml-ids.js'

const POINTER_TO_ID = /^#xpointer\(id\((?:'([^'"()]+)'|"([^'"()]+)")\)\)$/

/** Remaining octets for the references of all signatures in a document, each of which is a pass over the document. */
export interface CanonicalBudget {
  left: number
}

export const newCanonicalBudget = (): CanonicalBudget => ({ left: 24 * 1024 * 1024 })

/** Where references are resolved. */
export interface ReferenceContext {
  readonly document: XmlDocument
  readonly ids: XmlIds
  readonly signature: SignatureElement
  /** Signatures that were added later and are omitted. */
  readonly later: ReadonlySet<XmlElement>
  readonly budget: CanonicalBudget
  /** Returns external content. */
  readonly resolve?: ((uri: string) => DocumentContent | undefined) | undefined
}

/** Content of a reference with a matching digest. */
export interface SignedContent {
  readonly reference: Reference
  /** Undefined for external content. */
  readonly apex: XmlDocument | XmlElement | undefined
  /** Exactly what was digested; nothing where `byDigest`. */
  readonly bytes: Uint8Array
  /** Whether it is external, and only its digest is known. */
  readonly byDigest: boolean
}

interface Target {
  readonly apex: XmlDocument | XmlElement
  readonly comments: boolean
}

/** Digests the content of a reference; throws `invalidSignature` with reason `digest` if it differs. */
export function checkReference(reference: Reference, context: ReferenceContext): SignedContent {
  const external = isExternal(reference.uri) ? externalContent(reference, context.resolve) : undefined
  const { apex, bytes = NOTHING } = external ? { apex: undefined, bytes: external.bytes } : internal(reference, context)
  context.budget.left -= bytes.length
  if (context.budget.left < 0) throw notParsed('canonicalFormTooLarge')
  const value = external?.digest ?? reference.digest.create().update(bytes).digest()
  if (!reference.digestValue.equals(value)) throw invalid('digest', { uri: reference.uri })
  return { reference, apex, bytes, byDigest: external?.digest !== undefined }
}

const NOTHING = new Uint8Array()

function internal(reference: Reference, context: ReferenceContext) {
  const { apex, comments } = resolve(reference.uri, context)
  const { enveloped, withoutSignatures, base64, canonicalization } = reference.transforms
  if (base64) return { apex, bytes: decodedText(apex) }
  const own = context.signature.element
  const omit = (element: XmlElement): boolean =>
    (enveloped && element === own) || context.later.has(element) || (withoutSignatures && element.is(DSIG, 'Signature'))
  const method = canonicalization ?? DEFAULT_CANONICALIZATION
  const bytes = canonicalize(apex, { ...method, withComments: method.withComments && comments }, omit)
  return { apex, bytes }
}

/** The octets that an element has in base64 and nothing else, such as an Object of an enveloping signature. */
function decodedText(apex: XmlDocument | XmlElement): Buffer {
  if (!(apex instanceof XmlElement)) throw notParsed('transformNotAllowed', { transform: 'base64' })
  return base64Content(apex)
}

/** The identifier that a `#id` or `#xpointer(id('id'))` names. */
export function referencedId(uri: string): string | undefined {
  const pointer = POINTER_TO_ID.exec(uri)
  if (pointer !== null) return pointer[1] ?? pointer[2]
  return uri.startsWith('#') && uri.length > 1 && !uri.includes('(') ? uri.slice(1) : undefined
}

/** Resolves a same-document reference (XMLDSig 1.1, section 4.4.3.3); only XPointers keep comments. */
function resolve(uri: string | undefined, { document, ids }: ReferenceContext): Target {
  if (uri === undefined) throw notParsed('referenceWithoutUri')
  if (uri === '') return { apex: document, comments: false }
  if (uri === '#xpointer(/)') return { apex: document, comments: true }
  const id = referencedId(uri)
  if (id === undefined) throw notParsed('xpointer', { uri })
  const apex = ids.find(id)
  if (apex === undefined) throw invalid('referenceTargetMissing', { uri })
  return { apex, comments: uri.startsWith('#xpointer(') }
}
