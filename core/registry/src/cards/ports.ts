import { port } from '../kernel/port.js'
import type { Signature } from '../signatures/index.js'

/** Languages that cards are written in; a card in several has every text in each, in this order. */
export type CardLanguage = 'ru' | 'kk' | 'en'

/** Words of an organization by language. */
export type CardWords = Readonly<Partial<Record<CardLanguage, string>>>

/** A registered signature as a card shows and holds it. */
export interface CardSignature {
  readonly signature: Signature
  /** CMS with its time stamp and certificate status, without content; DER. */
  readonly cms: Uint8Array
}

/** Who makes a card, and for whom. */
export interface CardMaker {
  /** Name of the service. */
  readonly service: string
  /** PNG of 200x100 pixels; none where the organization has none or does not want it. */
  readonly logo?: Uint8Array | undefined
  /** Caption under the logo. */
  readonly logoCaption?: CardWords | undefined
  /** How to verify, in the organization's words. */
  readonly howToVerify?: CardWords | undefined
}

/** All that a card is made of (docs/cards.md). The same card gives the same bytes. */
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
  /** Page of the document, which the QR codes lead to; of the service where the identifier is not shown. */
  readonly link: string
  readonly maker: CardMaker
  /** Pages of the original; only a PDF has them. */
  readonly showsOriginal: boolean
  readonly showsSignatures: boolean
  /** The codes that hold each signature, on its page. */
  readonly showsCodes: boolean
  /** Without it the identifier of the document stands nowhere in the card, nor in any of its codes. */
  readonly showsId: boolean
  /** The code beside the identifier holds the link instead of the identifier. */
  readonly linksId: boolean
  /** The caption beside the link says "verified at" instead of "signed at". */
  readonly saysVerified: boolean
}

/** What is wrong with a file, of which no card can be made or read; `timeout`: it takes too much of the processor. */
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
 * Why a card could not be made or read. No fault of the file are `busy`, `failed` (the maker broke off) and `unavailable`
 * (there is no maker, or it stops): the same may succeed a moment later.
 */
export type CardFault = FileFault | 'busy' | 'failed' | 'unavailable'

/** Thrown by builders and readers of cards; anything else that they throw counts as `failed`. */
export class CardError extends Error {
  override readonly name = 'CardError'

  constructor(
    readonly fault: CardFault,
    options?: { cause?: unknown },
  ) {
    super(`The card failed: ${fault}`, options)
  }
}

/** QR codes that together hold one signature. */
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
 * Makes document cards. What it is given has been verified; it only draws and attaches. It must bound its time and memory
 * whatever the original is, run nothing of it, and leave nothing of it in the card but its pages and the file itself.
 */
export interface CardBuilder {
  /** The card as a PDF. Rejects with `CardError`. */
  build(card: Card): Promise<Uint8Array>
  /** A sample card of a PDF, to see whether and how it can be shown. Rejects with `CardError`. */
  sample(pdf: Uint8Array, languages: readonly CardLanguage[]): Promise<Uint8Array>
  /** PNG images, in order. */
  codes(signature: SignatureCodes): Promise<Uint8Array[]>
}
export const CardBuilder = port<CardBuilder>('CardBuilder', 'defaulted')

/** A file that a card holds. */
export interface CardFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Takes the files out of a card, in their order: the original, then the signatures. Bounded as `CardBuilder` is. */
export interface CardParser {
  parse(card: Uint8Array): Promise<CardFile[]>
}
export const CardParser = port<CardParser>('CardParser', 'defaulted')

/** How a card says that it was made. Anybody may have written it: it tells what to build again, and proves nothing. */
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
  /** OIDs of the algorithms whose hashes of the original it shows, in its order. */
  readonly hashes: readonly string[]
}

/** Whether a card is the one that is built of the same state. */
export type ComparedPages =
  | { readonly compared: 'same' }
  /** Numbers of the pages that are not; none where it is something beside the pages. */
  | { readonly compared: 'differ'; readonly numbers: readonly number[] }
  /** `otherDrawing`: made by another version of the builder; `otherSettings`: with other names, links or settings. */
  | { readonly compared: 'notCompared'; readonly reason: 'otherDrawing' | 'otherSettings' }

/**
 * Tells whether a card is what its builder makes of the same state: whatever was drawn, added, removed or appended since
 * makes it another one. Bounded as `CardBuilder` is.
 */
export interface CardComparer {
  /** How the card says that it was made; `undefined` where it says nothing. Rejects with `CardError`. */
  recipe(card: Uint8Array): Promise<CardRecipe | undefined>
  /** Builds `again` and compares. Rejects with `CardError`. */
  compare(card: Uint8Array, again: Card): Promise<ComparedPages>
}
export const CardComparer = port<CardComparer>('CardComparer', 'defaulted')

const unavailable = () => Promise.reject(new CardError('unavailable'))

/** Stands where no plugin makes cards: nothing can be made, read or compared. */
export const noCards: CardBuilder & CardParser & CardComparer = {
  build: unavailable,
  sample: unavailable,
  codes: unavailable,
  parse: unavailable,
  recipe: unavailable,
  compare: unavailable,
}
