import type { SignatureFacts } from '../signatures/index.js'
import { DocumentLists } from './document-lists.js'
import { DocumentStore, type StoredDocument } from './document-store.js'
import { wordsOfDocument } from './search-words.js'

/** Keeps a new document, in the lists where it stands and by the words that find it. */
export class StoreDocument {
  static readonly inject = [DocumentStore, DocumentLists] as const

  constructor(
    private readonly documents: DocumentStore,
    private readonly lists: DocumentLists,
  ) {}

  /** Runs in the caller's transaction; `facts` are those of its first signature, if it has one. */
  async execute(document: StoredDocument, facts?: SignatureFacts): Promise<void> {
    const words = wordsOfDocument(document.title, document.description, facts)
    await this.documents.add(document, words)
    await this.lists.add(document, facts, words)
  }
}
