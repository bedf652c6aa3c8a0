import type { FileProblem, Outcome, Revision } from '@signed-registry/verifier'
import type { EvidenceQuestion } from '../evidence/question.js'
import type { ShownSignature } from '../shown-signature.js'
import type { FileTexts } from '../texts/file-en.js'

/** What the worker is asked of a file that may be signed. */
export interface SignedFileQuestion extends Pick<EvidenceQuestion, 'trust' | 'at' | 'language'> {
  readonly signedFile: File
}

/** What it answers; `unsigned` where the file is to be judged otherwise, as a document or as a signature without its document. */
export type SignedFileAnswer =
  | { readonly file: ShownFile }
  | { readonly notRead: NotRead }
  | { readonly unsigned: true }
  | { readonly refused: 'anchor' | 'noRoot' | 'key' | 'unreadable'; readonly file?: string }

/** A signed file that could not be read. */
export interface NotRead {
  /** As `fileNotRead` has it. */
  readonly reason: string
  /** The file of a container that it is about. */
  readonly part?: string
  readonly words: FileTexts
  readonly digests: readonly string[]
}

/** The verdict on a signed file, as far as it is shown: plain data. */
export interface ShownFile {
  readonly format: 'cms' | 'xml' | 'pdf' | 'asic-s' | 'asic-e'
  readonly outcome: Outcome
  readonly signatures: readonly SignatureOfFile[]
  readonly timeStamps: readonly TimeStampOfFile[]
  readonly documents: readonly DocumentOfFile[]
  readonly revisions: readonly Revision[]
  readonly problems: readonly FileProblem[]
  /** In the language of the page. */
  readonly words: FileTexts
  /** What it, and what is in it, may be registered by: base64. */
  readonly digests: readonly string[]
}

export interface SignatureOfFile extends ShownSignature {
  /** Names of the documents that it is over. */
  readonly documents: readonly string[]
  /** The revision of a PDF that it is over, from 1. */
  readonly revision?: number
}

export interface TimeStampOfFile {
  readonly name: string
  readonly documents: readonly string[]
  readonly revision?: number
  /** Milliseconds since the epoch, where it is good. */
  readonly time?: number
  /** Who made it. */
  readonly by?: string
  /** Why it is not, in the language of the page. */
  readonly refusal?: string
}

export interface DocumentOfFile {
  readonly name: string
  readonly size: number
  /** Signatures over it, by their places. */
  readonly signatures: readonly number[]
  /** SHA-256, base64. */
  readonly sha256: string
}
