import { port } from '../kernel/port.js'
import type { Signature } from '../signatures/index.js'

/** Languages of a card; with several it has every text in each, in this order. */
export type CardLanguage = 'ru' | 'kk' | 'en'

/** Texts of an organization by language. */
export type CardWords = Readonly<Partial<Record<CardLanguage, string>>>

/** A registered signature as a card shows and contains it. */
export interface CardSignature {
  readonly signature: Signature
  /** CMS with its time stamp and certificate status, without content; DER. */
  readonly cms: Uint8Array
}

/** The service that makes a card, and the organization in whose name. */
export interface CardMaker {
  /** Name of the service. */
  readonly service: string
  /** PNG of at most 200x100 pixels; absent if the organization has none or does not want it. */
  readonly logo?: Uint8Array | undefined
  /** Caption under the logo. */
  readonly logoCaption?: CardWords | undefined
  /** The organization's instructions for verification. */
  readonly howToVerify?: CardWords | undefined
  /** Name of the organization over the first page, and its colour, `#rrggbb`. */
  readonly letterhead?: { readonly name?: CardWords | undefined; readonly color?: string | undefined } | undefined
}

/** The input for a card (docs/cards.md). Equal input gives equal bytes. */
export interface Card {
  readonly documentId: string
  readonly title: string
  readonly description: string
  /** Name under which the original is attached. */
  readonly fileName: string
  readonly original: Uint8Array
  /** Hashes of the original by the OID of their algorithm. */
  readonly digests: ReadonlyMap<string, Uint8Array>
  /** In the order of their time stamps. */
  readonly signatures: readonly CardSignature[]
  readonly languages: readonly CardLanguage[]
  /** Milliseconds. */
  readonly builtAt: number
  /** Page that the QR codes link to: that of the document, or of the service if the identifier is hidden. */
  readonly link: string
  readonly maker: CardMaker
  /** Whether to show the pages of the original, which must be a PDF. */
  readonly showsOriginal: boolean
  readonly showsSignatures: boolean
  /** Whether to show each signature as QR codes on its page. */
  readonly showsCodes: boolean
  /** When false, neither the card nor its QR codes contain the identifier of the document. */
  readonly showsId: boolean
  /** Whether the QR code beside the identifier holds the link in its place. */
  readonly linksId: boolean
  /** The caption beside the link says "verified at" instead of "signed at". */
  readonly saysVerified: boolean
}

/** Why no card can be made from a file or read from it; `timeout`: it takes too much processor time. */
export type FileFault =
  | 'notPdf'
  | 'encrypted'
  | 'broken'
  | 'tooManyPages'
  | 'tooManyObjects'
  | 'tooLarge'
  | 'tooManyAttachments'
  | 'noAttachments'
  | 'timeout'

/**
 * Why a card could not be made or read. `busy`, `failed` (the maker crashed) and `unavailable` (there is no maker, or it is
 * stopping) are no fault of the file: a retry may succeed.
 */
export type CardFault = FileFault | 'busy' | 'failed' | 'unavailable'

/** Thrown by builders and readers of cards; any other error counts as `failed`. */
export class CardError extends Error {
  override readonly name = 'CardError'

  constructor(
    readonly fault: CardFault,
    options?: { cause?: unknown },
  ) {
    super(`The card failed: ${fault}`, options)
  }
}

/** The QR codes of one signature. */
export interface SignatureCodes {
  readonly documentId: string
  readonly signId: number
  readonly signType: 'cms' | 'xml'
  readonly signature: Uint8Array
  /** Version of the codes, 11 to 40. */
  readonly version: number
  readonly level: 'L' | 'M' | 'Q' | 'H'
}

/**
 * Makes document cards from verified input: it only draws and attaches. It must bound its time and memory for any original,
 * execute nothing in it, and put nothing of it into the card but its pages and the file itself.
 */
export interface CardBuilder {
  /** The card as a PDF. Rejects with `CardError`. */
  build(card: Card): Promise<Uint8Array>
  /** A sample card that shows whether and how a PDF can be rendered. Rejects with `CardError`. */
  sample(pdf: Uint8Array, languages: readonly CardLanguage[]): Promise<Uint8Array>
  /** PNG images, in order. */
  codes(signature: SignatureCodes): Promise<Uint8Array[]>
}
export const CardBuilder = port<CardBuilder>('CardBuilder', 'defaulted')

/** A file in a card. */
export interface CardFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Extracts the files of a card in order: the original, then the signatures. Bounded like `CardBuilder`. */
export interface CardParser {
  parse(card: Uint8Array): Promise<CardFile[]>
}
export const CardParser = port<CardParser>('CardParser', 'defaulted')

/** How a card claims to have been made: what to rebuild, but no proof, since anybody may have written it. */
export interface CardRecipe
  extends Pick<
    Card,
    | 'languages'
    | 'builtAt'
    | 'showsOriginal'
    | 'showsSignatures'
    | 'showsCodes'
    | 'showsId'
    | 'linksId'
    | 'saysVerified'
  > {
  /** OIDs of the hash algorithms in the order that the card shows them. */
  readonly hashes: readonly string[]
}

/** Whether a card equals the one that is built from the same state. */
export type ComparedPages =
  | { readonly compared: 'same' }
  /** Numbers of the pages that differ; none if something else differs. */
  | { readonly compared: 'differ'; readonly numbers: readonly number[] }
  /** `otherDrawing`: another version of the builder; `otherSettings`: other names, links or settings. */
  | { readonly compared: 'notCompared'; readonly reason: 'otherDrawing' | 'otherSettings' }

/**
 * Tells whether a card is what its builder makes from the same state: any later change makes it differ. Bounded like
 * `CardBuilder`.
 */
export interface CardComparer {
  /** How the card claims to have been made; `undefined` if it does not say. Rejects with `CardError`. */
  recipe(card: Uint8Array): Promise<CardRecipe | undefined>
  /** Builds `again` and compares. Rejects with `CardError`. */
  compare(card: Uint8Array, again: Card): Promise<ComparedPages>
}
export const CardComparer = port<CardComparer>('CardComparer', 'defaulted')

const unavailable = () => Promise.reject(new CardError('unavailable'))

/** The default without a plugin for cards: nothing can be made, read or compared. */
export const noCards: CardBuilder & CardParser & CardComparer = {
  build: unavailable,
  sample: unavailable,
  codes: unavailable,
  parse: unavailable,
  recipe: unavailable,
  compare: unavailable,
}
