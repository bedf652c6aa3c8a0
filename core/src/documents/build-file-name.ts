import type { Caller } from '../identity/index.js'
import { DocumentStore } from './document-store.js'
import { buildFileName } from './file-name.js'
import type { BuiltFileName } from './schema.js'

/** Builds a file name that carries the identifier of the document; the title serves where no name is given. */
export class BuildFileName {
  static readonly inject = [DocumentStore] as const

  constructor(private readonly documents: DocumentStore) {}

  async execute(
    _caller: Caller,
    documentId: string,
    query: { name?: string | undefined } = {},
  ): Promise<BuiltFileName> {
    const { title } = await this.documents.get(documentId)
    return { documentId, fileName: buildFileName(query.name ?? title, documentId) }
  }
}
