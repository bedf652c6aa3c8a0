import type { NamedDocument } from './compare-document.js'
import type { Coverage, SignerVerdict } from './verdict.js'
import { type VerifyOptions, verify } from './verify.js'

/** Bytes of a document that are read for an XML signature, which may be over a form of it that no hash tells. */
export const LARGEST_FOR_XML = 64 * 1024 * 1024

/** A signature in a set of files. */
export interface GivenSignature {
  readonly name: string
  /** CMS (DER, base64 or PEM) or XML. */
  readonly signed: Uint8Array | string
  /** What it is over, where its place says so, as in a PDF: the other documents are not compared then. */
  readonly over?: NamedDocument & { readonly coverage?: Coverage }
  /** What is known about this signature alone, beside the options of all. */
  readonly known?: Pick<VerifyOptions, 'evidence' | 'alongside' | 'candidates' | 'signingCertificate' | 'tsaExpiry'>
}

/** A set of signatures and documents. */
export interface GivenFiles {
  readonly signatures: readonly GivenSignature[]
  /** Documents that a signature may be over. */
  readonly documents: readonly GivenDocument[]
}

/** A document in a set of files. */
export interface GivenDocument extends NamedDocument {
  /** Its bytes, where it is given by digests alone: tells whether signatures of ranges reach its end. */
  readonly size?: number
}

/** The signatures of a document, and how much of it they cover. */
export interface DocumentVerdict {
  readonly name: string
  /** By their places among the signatures; none for a document that nobody signed. */
  readonly signatures: readonly number[]
  /** `part`: it was added to after its last signature. */
  readonly signed: 'whole' | 'part' | 'nothing'
}

/** `wrong` beats `unknown`, and `unknown` beats `proved`. */
export type Outcome = 'proved' | 'unknown' | 'wrong'

/** The verdict on a set of files. */
export interface FilesVerdict {
  readonly outcome: Outcome
  /** The validation time, milliseconds since the epoch. */
  readonly at: number
  /** Every signature, with the name of the file that it came in. */
  readonly signatures: readonly (SignerVerdict & { readonly file: string })[]
  readonly documents: readonly DocumentVerdict[]
}

/**
 * Validates a set of signatures and documents in any order, matching each signature to its document. A signature of none of the
 * documents is wrong, unless its content is attached and every document has another signature; a document without a signature,
 * or with data appended after it, makes the result unknown. Throws a `TypeError` for duplicate names of documents.
 */
export function verifyFiles({ signatures, documents }: GivenFiles, options: VerifyOptions): FilesVerdict {
  if (new Set(documents.map(({ name }) => name)).size < documents.length)
    throw new TypeError('documents of one name cannot be told apart')
  const at = options.at ?? Date.now()
  const judge = ({ name, signed, over, known }: GivenSignature, given: readonly NamedDocument[]): Judged[] => {
    const own = { ...options, ...known, at, documentUri: documentUriOf(over?.coverage) }
    const found = given.length > 0 ? verify(signed, { ...own, documents: given }).signatures : alone(signed, own)
    return found.map((one) => ({ ...one, coverage: over?.coverage ?? one.coverage, file: name }))
  }
  const first = signatures.map((given) => judge(given, given.over === undefined ? documents : [given.over]))
  const signed = new Set(first.flat().map(({ over }) => over))
  const othersHaveAll = documents.every(({ name }) => signed.has(name))
  const judged = signatures.flatMap((given, index) => {
    const own = first[index] ?? []
    return othersHaveAll && given.over === undefined && own.some(carriesOther) ? judge(given, []) : own
  })
  return { at, signatures: judged, ...joinVerdicts(judged, documents) }
}

/** The URI by which a signature names its document, where that is the only one. */
export function documentUriOf(coverage: Coverage | undefined): string | undefined {
  const [uri, more] = coverage?.of === 'references' ? coverage.uris : []
  return more === undefined ? uri : undefined
}

type Judged = FilesVerdict['signatures'][number]

/** Whether a signature carries what it is over, and none of the documents is that. */
const carriesOther = ({ document, signedBytes }: Judged): boolean => document === 'differs' && signedBytes !== undefined

/** An XML signature by itself signs nothing that could be seen: it is of a document that nobody has shown. */
function alone(signed: GivenSignature['signed'], options: VerifyOptions): readonly SignerVerdict[] {
  const { signatures } = verify(signed, options)
  if (!signatures.some(({ refusal }) => refusal?.details?.reason === 'nothingSigned')) return signatures
  const detached = verify(signed, { ...options, documents: [{ name: '', document: new Map() }] }).signatures
  return detached.map((one) =>
    one.refusal?.details?.reason === 'digestMissing'
      ? { ...one, document: 'notCompared', missing: ['document', ...one.missing] }
      : one,
  )
}

/** What of a verdict says how files belong together. */
interface JudgedSigner extends Pick<SignerVerdict, 'indication'> {
  readonly covers?: string | undefined
  readonly over?: string | undefined
  readonly coverage?: { readonly of: string; readonly ranges?: readonly (readonly number[])[] } | undefined
}

/** What signatures that were judged one by one over the same documents come to. */
export function joinVerdicts(
  signatures: readonly JudgedSigner[],
  documents: readonly Pick<GivenDocument, 'name' | 'size'>[],
): Pick<FilesVerdict, 'outcome' | 'documents'> {
  const named = documents.map(({ name, size }) => {
    const own = signatures.flatMap(({ over }, index) => (over === name ? [index] : []))
    const reaches = own.some((index) => reachesEnd(signatures[index]?.coverage, size))
    return { name, signatures: own, signed: own.length === 0 ? 'nothing' : reaches ? 'whole' : 'part' } as const
  })
  const outcomes = [
    ...signatures.filter(({ covers }) => covers !== 'signature').map(outcomeOf),
    ...named.map(({ signed }) => (signed === 'whole' ? 'proved' : 'unknown')),
  ]
  return { outcome: worstOutcome(outcomes), documents: named }
}

/** Maximum size of a hexadecimal CMS in the gap of a byte range, octets. */
const MAX_SIGNATURE_GAP = 1 << 20

/** Whether a file is signed from its first byte to its last, except for the single gap with the signature. */
function reachesEnd(coverage: JudgedSigner['coverage'], size: number | undefined): boolean {
  if (coverage?.ranges === undefined) return true
  const [[begin, before = 0] = [], [after = 0, end] = [], ...more] = coverage.ranges
  const isInOrder = begin === 0 && before > 0 && after > before && after - before <= MAX_SIGNATURE_GAP
  return more.length === 0 && isInOrder && size !== undefined && end === size && end > after
}

/** What a verdict comes to. */
export const outcomeOf = ({ indication }: Pick<SignerVerdict, 'indication'>): Outcome =>
  indication === 'TOTAL-PASSED' ? 'proved' : indication === 'TOTAL-FAILED' ? 'wrong' : 'unknown'

const RANK: Readonly<Record<Outcome, number>> = { proved: 0, unknown: 1, wrong: 2 }

/** The worst of several; `unknown` where there is none, since nothing proves anything then. */
export const worstOutcome = (outcomes: readonly Outcome[]): Outcome =>
  outcomes.reduce((worst, one) => (RANK[one] > RANK[worst] ? one : worst), outcomes[0] ?? 'unknown')
