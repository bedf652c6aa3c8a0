import type { Injected } from '../kernel/service.js'
import type { LeafField, LoggedFacts, SaltedKind, StoredFact } from '../log/index.js'
import { CommentStore } from './comments.js'
import { decisionFact, deliveryFact } from './item-facts.js'
import { ItemStore } from './item-store.js'

/** Reads what was logged of deliveries and decisions again. */
export class LoggedItems implements LoggedFacts {
  static readonly inject = { items: ItemStore, comments: CommentStore }
  readonly kinds = ['delivery', 'decision'] as const

  constructor(private readonly use: Injected<typeof LoggedItems.inject>) {}

  async read(kind: SaltedKind, refs: readonly string[]): Promise<ReadonlyMap<string, readonly LeafField[]>> {
    const facts =
      kind === 'delivery'
        ? (await this.use.items.list(refs)).map(deliveryFact)
        : (await this.use.comments.decisions(refs)).map(decisionFact)
    const read = new Map(facts.map(({ ref, fields }) => [ref, fields]))
    // An item is decided once: of two decisions, none may pass for the one that was logged.
    if (read.size < facts.length) throw new TypeError('An item has several decisions')
    return read
  }

  stored(kind: SaltedKind): AsyncIterable<readonly StoredFact[]> {
    const { items, comments } = this.use
    return (kind === 'delivery' ? items : comments).stored()
  }
}
