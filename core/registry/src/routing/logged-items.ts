import type { Injected } from '../kernel/service.js'
import type { LeafField, LoggedFact, LoggedFacts, SaltedKind, StoredFact } from '../log/index.js'
import { CommentStore } from './comments.js'
import { decisionFact, deliveryFact, recallFact } from './item-facts.js'
import { ItemStore } from './item-store.js'

/** Reads what was logged of deliveries, decisions and recalls again. */
export class LoggedItems implements LoggedFacts {
  static readonly inject = { items: ItemStore, comments: CommentStore }
  readonly kinds = ['delivery', 'decision', 'recall'] as const

  constructor(private readonly use: Injected<typeof LoggedItems.inject>) {}

  async read(kind: SaltedKind, refs: readonly string[]): Promise<ReadonlyMap<string, readonly LeafField[]>> {
    const facts = await this.facts(kind, refs)
    const read = new Map(facts.map(({ ref, fields }) => [ref, fields]))
    // An item is decided once: of two decisions, none may pass for the one that was logged.
    if (read.size < facts.length) throw new TypeError('An item has several decisions')
    return read
  }

  stored(kind: SaltedKind): AsyncIterable<readonly StoredFact[]> {
    const { items, comments } = this.use
    if (kind === 'decision') return comments.stored()
    return kind === 'recall' ? items.storedRecalls() : items.stored()
  }

  private async facts(kind: SaltedKind, refs: readonly string[]): Promise<LoggedFact[]> {
    if (kind === 'decision') return (await this.use.comments.decisions(refs)).map(decisionFact)
    const items = await this.use.items.list(refs)
    return kind === 'recall'
      ? items.filter(({ failure }) => failure === 'recalled').map(recallFact)
      : items.map(deliveryFact)
  }
}
