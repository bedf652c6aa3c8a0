import type { ComparedPages } from '@signed-registry/core'
import type { Level } from '@signed-registry/core/qr'
import Type from 'typebox'
import { Value } from 'typebox/value'
import type { PdfBounds } from './open-pdf.js'
import type { CodedSignature } from './split-signature.js'

/** A card as the drawing process gets it: every word chosen, nothing left to know but where it stands. */
export interface DrawnCard {
  /** Heading of the card and of its pages, and everything else that stands on every page. */
  readonly frame: Frame
  readonly information: Information
  readonly original: AttachedFile
  readonly pages: PagesOfOriginal | undefined
  readonly signatures: readonly DrawnSignature[]
  readonly builtAt: number
  readonly language: string
  /** How it is made, as the card says it; see `recipeText`. */
  readonly recipe: string
}

export interface AttachedFile {
  readonly name: string
  readonly note: string
  readonly mime: string
  readonly bytes: Uint8Array
}

export interface Frame {
  readonly footer: string
  /** "page {} of {}" with the numbers in place of the braces. */
  readonly pageOf: string
  /** Identifier of the document, top right, with its code. */
  readonly id: { readonly text: string; readonly code: string } | undefined
  /** Left edge: the code of the link with words beside it, and the organization's logo. */
  readonly link: { readonly code: string; readonly words: readonly string[] }
  readonly logo: Uint8Array | undefined
  readonly logoCaption: string
}

export interface Information {
  readonly heading: string
  readonly title: string
  readonly description: string
  readonly facts: readonly Fact[]
  readonly contentsHeading: string
  readonly contents: { readonly information: string; readonly original: string; readonly signatures: string }
  readonly filesHeading: string
  readonly hashesHeading: string
  readonly hashes: readonly Fact[]
  readonly paragraphs: readonly string[]
  readonly warning: string
}

export interface Fact {
  readonly label: string
  readonly value: string
}

export interface PagesOfOriginal {
  readonly heading: string
  readonly watermark: string
}

export interface DrawnSignature {
  readonly file: AttachedFile
  readonly page: SignaturePage | undefined
}

export interface SignaturePage {
  readonly heading: string
  readonly title: string
  readonly facts: readonly Fact[]
  /** Small print: certificate, time stamp, status. */
  readonly boxes: readonly { readonly title: string; readonly facts: readonly Fact[] }[]
  /** Texts of the QR codes that hold the signature. */
  readonly codes: CodesOfSignature | undefined
}

/** A signature and the kind of its codes. */
export interface CodesOfSignature extends CodedSignature {
  readonly version: number
  readonly level: Level
}

/** What a process is asked to do. */
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

/** What it answers; a fault is told by name, since errors lose their class between processes. */
export type Done =
  | { readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[] }
  | { readonly recipe: string | undefined }
  | { readonly pages: ComparedPages }
  | Failed

/** Which fault of the file it was; `failed` where it was none of the file's. */
export interface Failed {
  readonly fault: string
  readonly problem: string
}

/** What a process says: that it takes jobs, and then the answer to each, and whether it should do another one. */
export type FromProcess = 'ready' | Answered

export interface Answered {
  readonly done: Done
  readonly isSpent: boolean
}

const Octets = Type.Refine(Type.Unsafe<Uint8Array>({}), (value) => value instanceof Uint8Array)
const Done = Type.Union([
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
const Said = Type.Union([Type.Literal('ready'), Type.Object({ done: Done, isSpent: Type.Boolean() })])

/** What a process that has read a hostile file says is believed no more than the file is. */
export const isFromProcess = (read: unknown): read is FromProcess => Value.Check(Said, read)
