import { DocumentAccess, DocumentStore } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { onPackage, PackageParams } from '../packages/index.js'
import { BundledOriginals } from './bundled-original.js'
import { EVIDENCE_TYPES, EvidenceFile, EvidenceQuery, evidenceFile } from './evidence-file.js'
import { type DocumentToBundle, MakeBundle } from './make-bundle.js'

/** As `GetDocumentEvidence`, for all documents of a package in one file. A package opens none of its documents. */
export class GetPackageEvidence {
  static readonly operation = operation({
    id: 'getPackageEvidence',
    group: 'evidence',
    at: 'GET /package/:packageId/evidence',
    who: onPackage('view', { more: ' and each of its documents; with stored originals for whoever may read those' }),
    summary: 'Read one file that proves all documents of a package without this registry',
    description:
      'As GET /api/{id}/evidence, with every document of the package; refused where the caller may not view one of them.',
    params: PackageParams,
    query: EvidenceQuery,
    alsoAnswers: EVIDENCE_TYPES,
    answer: EvidenceFile,
    refuses: MakeBundle.refuses,
  })
  static readonly inject = {
    documents: DocumentStore,
    access: DocumentAccess,
    originals: BundledOriginals,
    making: MakeBundle,
  }

  constructor(private readonly use: Injected<typeof GetPackageEvidence.inject>) {}

  async execute(
    caller: Caller,
    { packageId, found, query = {} }: Admitted<typeof GetPackageEvidence.operation>,
  ): Promise<EvidenceFile> {
    const { title, description, storedAt, documentsIds } = found
    const documents = await this.use.documents.getAll(documentsIds)
    for (const document of documents) await this.use.access.assertMay('view', caller, document)
    const parts: DocumentToBundle[] = []
    for (const document of documents)
      parts.push(await this.use.originals.withOriginal(caller, document, query.withoutOriginal))
    const built = await this.use.making.make(caller, parts, { packageId, title, description, storedAt })
    return evidenceFile(packageId, built)
  }
}
