import type { Subject } from '../events/index.js'
import type { Injected } from '../kernel/service.js'
import { CommentStore } from './comments.js'
import { ItemStore, type StoredItem } from './item-store.js'
import type { ItemComment } from './schema.js'
import { sideOf, type ThreadViewer } from './thread-viewer.js'

/** Items of one side, and items of others, that a thread shows: nobody hides the viewer's own by sending many. */
const ITEMS = 50
const COMMENTS = 200

/** An item and what was written about it, oldest first. */
export interface ThreadItem {
  readonly item: StoredItem
  /** The viewer's side. */
  readonly side: 'sender' | 'receiver' | undefined
  readonly comments: readonly ItemComment[]
}

/** Reads the items of a document or package that a thread shows. */
export class ThreadItems {
  static readonly inject = { items: ItemStore, comments: CommentStore }

  constructor(private readonly use: Injected<typeof ThreadItems.inject>) {}

  /** `isShortened` where there may be more. */
  async of(
    subject: Subject,
    { party = '' }: ThreadViewer,
  ): Promise<{ readonly items: readonly ThreadItem[]; readonly isShortened: boolean }> {
    const pages: StoredItem[][] = []
    const sides = party === '' ? (['any'] as const) : (['sender', 'receiver', 'any'] as const)
    for (const side of sides) pages.push(await this.use.items.newest(subject, side, party, ITEMS))
    const items = new Map(pages.flat().map((item) => [item.id, item]))
    const comments = await this.use.comments.newestOf([...items.keys()], COMMENTS)
    return {
      items: [...items.values()].map((item) => ({
        item,
        side: sideOf(item, party),
        comments: comments.filter(({ itemId }) => itemId === item.id),
      })),
      isShortened: comments.length === COMMENTS || pages.some(({ length }) => length === ITEMS),
    }
  }

  /** What the viewer has to do about items, or waits for. */
  async open(
    subject: Subject,
    { party }: ThreadViewer,
  ): Promise<{ readonly undecided: StoredItem | undefined; readonly awaitsDecision: boolean }> {
    if (party === undefined) return { undecided: undefined, awaitsDecision: false }
    return {
      undecided: await this.use.items.undecided(subject, party),
      awaitsDecision: await this.use.items.awaitsDecision(subject, party),
    }
  }
}
