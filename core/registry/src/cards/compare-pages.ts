import Type, { type Static } from 'typebox'
import { type DocumentRecord, DocumentStore } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { RegistryError } from '../kernel/error.js'
import type { Injected } from '../kernel/service.js'
import { Site } from '../kernel/site.js'
import { receive, uploadOf } from '../originals/index.js'
import { digestAlgorithm } from '../signatures/index.js'
import { cardLink } from './card-names.js'
import { CardSignatures } from './card-signatures.js'
import { CardWork } from './card-work.js'
import { CardMakers } from './maker.js'
import { type Card, CardComparer, type CardFile, type CardRecipe } from './ports.js'

/** The result of comparing the pages of a card. */
export const CardPages = Type.Object(
  {
    compared: Type.Enum(['same', 'differ', 'notCompared'], {
      description:
        'same: the card is to the last page what the registry makes of the same state; differ: it was changed after it was made, and only the attached original counts; notCompared: nobody knows, and only the attached original counts',
    }),
    numbers: Type.Optional(
      Type.Array(Type.Integer(), {
        description: 'the pages that differ, from 1; none where something else in the file does',
      }),
    ),
    reason: Type.Optional(
      Type.String({
        description:
          'why they were not compared: notRegistered; notSaid: the card does not say how it was made; otherDrawing: made by another version; otherSettings: with other names, links or settings; busy, timeout and the like',
      }),
    ),
  },
  { $id: 'CardPages' },
)
export type CardPages = Static<typeof CardPages>

/** A card whose signatures are all registered under one document, and match the original in it. */
export interface GenuineCard {
  readonly bytes: Uint8Array
  readonly documentId: string
  readonly signIds: readonly number[]
  readonly original: CardFile
}

/** The clocks of one registry's hosts differ by less. */
const SKEW_MS = 5 * 60_000

/** Rebuilds a card for the same document, signatures, language and time, and tells whether its pages are the same. */
export class ComparePages {
  static readonly inject = {
    comparer: CardComparer,
    cards: CardWork,
    documents: DocumentStore,
    signatures: CardSignatures,
    makers: CardMakers,
    site: Site,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof ComparePages.inject>) {}

  /** Never rejects: a card that cannot be rebuilt is reported as not compared. */
  async compare(caller: Caller, card: GenuineCard): Promise<CardPages> {
    try {
      return await this.compared(caller, card)
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error
      const { reason = error.code } = error.details ?? {}
      return notCompared(String(reason))
    }
  }

  private async compared(caller: Caller, card: GenuineCard): Promise<CardPages> {
    const recipe = await this.use.cards.have(caller, 'cardNotParsed', () => this.use.comparer.recipe(card.bytes))
    if (recipe === undefined || !recipe.hashes.every((oid) => digestAlgorithm(oid).trusted))
      return notCompared('notSaid')
    const document = await this.use.documents.get(card.documentId)
    const lastSignId = Math.max(...card.signIds)
    const signatures = await this.use.signatures.of(document.id, lastSignId)
    // A card has all signatures of its time, and says so on its first page.
    const isComplete = signatures.length === card.signIds.length
    if (!isComplete || !(await this.couldBeMade(recipe.builtAt, signatures, document.id)))
      return { compared: 'differ', numbers: [1] }
    const again = await this.again(card, recipe, document, signatures)
    let pages: CardPages = notCompared('otherSettings')
    for (const maker of await this.use.makers.all(caller, document, signatures)) {
      const found = await this.use.cards.have(caller, 'cardNotParsed', () =>
        this.use.comparer.compare(card.bytes, { ...again, maker }),
      )
      if (found.compared === 'differ') return { ...found, numbers: [...found.numbers] }
      if (found.compared === 'same') return found
      pages = found
    }
    return pages
  }

  /** Whether a card with exactly these signatures can have been made at that time. */
  private async couldBeMade(builtAt: number, signatures: Card['signatures'], documentId: string): Promise<boolean> {
    const last = signatures.reduce((one, { signature }) => (signature.signId > one.signId ? signature : one), {
      signId: 0,
      storedAt: 0,
    })
    const until = (await this.use.signatures.nextAt(documentId, last.signId)) ?? this.use.clock.now()
    return builtAt >= last.storedAt - SKEW_MS && builtAt <= until + SKEW_MS
  }

  private async again(
    { original }: GenuineCard,
    { hashes, ...recipe }: CardRecipe,
    { id: documentId, title, description }: DocumentRecord,
    signatures: Card['signatures'],
  ): Promise<Omit<Card, 'maker'>> {
    const digests = await receive(uploadOf(original.bytes), { algorithms: hashes })
    return {
      ...recipe,
      ...{ documentId, title, description, signatures },
      fileName: original.name,
      original: original.bytes,
      digests: new Map(hashes.flatMap((oid) => [[oid, digests.get(oid) ?? new Uint8Array()] as const])),
      link: cardLink(this.use.site, { documentId, showsId: recipe.showsId }),
    }
  }
}

/** Pages that were not compared, and why. */
export const notCompared = (reason: string): CardPages => ({ compared: 'notCompared', reason })
