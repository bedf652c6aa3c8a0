import { type Document, GetDocument } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { RegistryError } from '../kernel/error.js'
import { GetPackage, type Package } from '../packages/index.js'
import { type Direction, sentAt } from './item-lists.js'
import type { StoredItem } from './item-store.js'

/** What both sides of an item show. */
export interface ShownItem {
  readonly documentId?: string
  readonly document?: Document
  readonly packageId?: string
  readonly package?: Package
  readonly sentAt: number
  readonly sender: string
  readonly receiver: string
  readonly status: StoredItem['status']
}

/** Shows items as answers have them. */
export class ShowItems {
  static readonly inject = [GetDocument, GetPackage] as const

  constructor(
    private readonly documents: GetDocument,
    private readonly packages: GetPackage,
  ) {}

  async show(direction: Direction, caller: Caller, item: StoredItem, includeDetails = false): Promise<ShownItem> {
    const { subject, sender, receiver, status } = item
    const { documentId, packageId } = subject
    return {
      ...(documentId !== undefined && { documentId }),
      ...(packageId !== undefined && { packageId }),
      ...(includeDetails && (await this.#details(caller, item))),
      sentAt: sentAt(direction, item),
      sender,
      receiver,
      status,
    }
  }

  /** The document or package; nothing where it is closed to the caller, as it may be to a sender's colleague. */
  async #details(caller: Caller, { subject }: StoredItem): Promise<Pick<ShownItem, 'document' | 'package'>> {
    try {
      if (subject.documentId === undefined) return { package: await this.packages.execute(caller, subject.packageId) }
      return { document: await this.documents.execute(caller, subject.documentId) }
    } catch (error) {
      if (error instanceof RegistryError && error.kind === 'forbidden') return {}
      throw error
    }
  }
}
