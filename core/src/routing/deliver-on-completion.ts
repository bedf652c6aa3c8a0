import type { Completion, CompletionListener, StoredDocument } from '../documents/index.js'
import type { Subject } from '../events/index.js'
import type { PackageCompletionListener, StoredPackage } from '../packages/index.js'
import { ItemStore } from './item-store.js'
import { MoveItems } from './move-items.js'

/** Delivers what waited for a document or a package to be complete. */
export class DeliverOnCompletion implements CompletionListener, PackageCompletionListener {
  static readonly inject = [ItemStore, MoveItems] as const

  constructor(
    private readonly items: ItemStore,
    private readonly moves: MoveItems,
  ) {}

  async documentCompleted({ id }: StoredDocument): Promise<Completion | undefined> {
    return this.#deliver({ documentId: id })
  }

  async packageCompleted({ id }: StoredPackage): Promise<Completion | undefined> {
    return this.#deliver({ packageId: id })
  }

  async #deliver(subject: Subject): Promise<Completion | undefined> {
    const waiting = await this.items.lockWaiting(subject)
    for (const item of waiting) await this.moves.deliver(item)
    const [first] = waiting
    return first && { outgoingId: first.id }
  }
}
