import type { Caller } from '../identity/index.js'
import { DocumentAccess } from './document-access.js'
import { DocumentStore } from './document-store.js'
import { buildFileName } from './file-name.js'
import type { BuiltFileName } from './schema.js'

/** Builds a file name that carries the identifier of the document; the title serves where no name is given. */
export class BuildFileName {
  static readonly inject = [DocumentStore, DocumentAccess] as const

  constructor(
    private readonly documents: DocumentStore,
    private readonly access: DocumentAccess,
  ) {}

  async execute(caller: Caller, documentId: string, query: { name?: string | undefined } = {}): Promise<BuiltFileName> {
    const document = await this.documents.get(documentId)
    await this.access.assertMay('view', caller, document)
    return { documentId, fileName: buildFileName(query.name ?? document.title, documentId) }
  }
}
