import type { ComparedPages } from '@signed-registry/core'
import type { Level } from '@signed-registry/core/qr'
import Type from 'typebox'
import { Value } from 'typebox/value'
import type { PdfBounds } from './open-pdf.js'
import type { Run, Said } from './said.js'
import type { CodedSignature } from './split-signature.js'

/** A card as the worker draws it: all texts are final, only the layout is left. */
export interface DrawnCard {
  /** What appears on every page. */
  readonly frame: Frame
  readonly information: Information
  /** Who signed; absent where nobody has. */
  readonly signers: Signers | undefined
  readonly original: AttachedFile
  readonly pages: PagesOfOriginal | undefined
  readonly signatures: readonly DrawnSignature[]
  readonly builtAt: number
  readonly language: string
  /** How the card was made, to be embedded; see `recipeText`. */
  readonly recipe: string
}

export interface AttachedFile {
  readonly name: string
  readonly note: Said
  readonly mime: string
  readonly bytes: Uint8Array
}

export interface Frame {
  readonly footer: string
  /** "page {} of {}" with the numbers in place of the braces. */
  readonly pageOf: string
  /** Identifier of the document at the top right, with its QR code. */
  readonly id: { readonly text: string; readonly code: string } | undefined
  /** The left margin: QR code of the link with a caption, and the organization's logo. */
  readonly link: { readonly code: string; readonly words: readonly Run[] }
  readonly logo: Uint8Array | undefined
  readonly logoCaption: string
  /** Name of the organization over the first page; may be empty. */
  readonly letterhead: string
  /** Its colour: red, green and blue from 0 to 1. */
  readonly color: readonly [number, number, number] | undefined
}

export interface Information {
  readonly heading: Said
  readonly title: string
  readonly description: string
  readonly facts: readonly Fact[]
  readonly contentsHeading: Said
  readonly contents: {
    readonly information: Said
    readonly signers: Said
    readonly original: Said
    readonly signatures: Said
  }
  readonly filesHeading: Said
  readonly hashesHeading: Said
  readonly hashes: readonly Fact[]
  readonly paragraphs: readonly Said[]
  readonly warnings: readonly Said[]
}

export interface Fact {
  readonly label: Said
  readonly value: Said
}

/** The table of signers. */
export interface Signers {
  readonly heading: Said
  readonly title: Said
  readonly columns: readonly Said[]
  /** For each signature its cells, each of lines of which the first is the most important. */
  readonly rows: readonly { readonly cells: readonly (readonly Said[])[] }[]
  /** What the table tells. */
  readonly note: Said
}

export interface PagesOfOriginal {
  readonly heading: Said
  readonly watermark: string
  /** "page {} of {}". */
  readonly pageOf: string
}

export interface DrawnSignature {
  readonly file: AttachedFile
  readonly page: SignaturePage | undefined
}

export interface SignaturePage {
  readonly heading: Said
  readonly title: Said
  /** How the table of bookmarks names it. */
  readonly bookmark: string
  readonly facts: readonly Fact[]
  /** Small print: certificate, time stamp, status. */
  readonly boxes: readonly { readonly title: Said; readonly facts: readonly Fact[] }[]
  /** Texts of the QR codes that hold the signature. */
  readonly codes: CodesOfSignature | undefined
  /** What the codes are, for who does not see them. */
  readonly codesTitle: string
}

/** A signature with the version and error correction level of its QR codes. */
export interface CodesOfSignature extends CodedSignature {
  readonly version: number
  readonly level: Level
}

/** A job for a worker process. */
export type Job =
  | { readonly do: 'build'; readonly card: DrawnCard; readonly bounds: PdfBounds }
  | {
      readonly do: 'parse'
      readonly card: Uint8Array
      readonly bounds: PdfBounds
      readonly maxFiles: number
      readonly maxBytes: number
    }
  | { readonly do: 'recipe'; readonly card: Uint8Array; readonly bounds: PdfBounds }
  | {
      readonly do: 'compare'
      readonly card: Uint8Array
      readonly bounds: PdfBounds
      readonly again: DrawnCard
      readonly originals: PdfBounds
    }
  | { readonly do: 'codes'; readonly signature: CodesOfSignature }

/** The result of a job; faults are given by name, since an error loses its class between processes. */
export type JobResult =
  | { readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[] }
  | { readonly recipe: string | undefined }
  | { readonly pages: ComparedPages }
  | JobFailure

/** What is wrong with the file; `failed` where the file is not at fault. */
export interface JobFailure {
  readonly fault: string
  readonly problem: string
}

/** A message of a worker: first that it is ready, then the result of each job and whether the worker is to be replaced. */
export type WorkerMessage = 'ready' | JobAnswer

export interface JobAnswer {
  readonly done: JobResult
  readonly isSpent: boolean
}

const Octets = Type.Refine(Type.Unsafe<Uint8Array>({}), (value) => value instanceof Uint8Array)
const JobResult = Type.Union([
  Type.Object({ files: Type.Array(Type.Object({ name: Type.String(), bytes: Octets })) }),
  Type.Object({
    pages: Type.Union([
      Type.Object({ compared: Type.Literal('same') }),
      Type.Object({ compared: Type.Literal('differ'), numbers: Type.Array(Type.Integer()) }),
      Type.Object({ compared: Type.Literal('notCompared'), reason: Type.Enum(['otherDrawing', 'otherSettings']) }),
    ]),
  }),
  Type.Object({ fault: Type.String(), problem: Type.String() }),
  Type.Object({ recipe: Type.Optional(Type.String()) }, { additionalProperties: false }),
])
const WorkerMessage = Type.Union([Type.Literal('ready'), Type.Object({ done: JobResult, isSpent: Type.Boolean() })])

/** Validates a worker's message: a process that has read a hostile file is trusted no more than the file. */
export const isWorkerMessage = (read: unknown): read is WorkerMessage => Value.Check(WorkerMessage, read)
