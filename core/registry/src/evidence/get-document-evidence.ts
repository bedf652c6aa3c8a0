import { DocumentParams, onDocument } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { BundledOriginals } from './bundled-original.js'
import { EVIDENCE_TYPES, EvidenceFile, EvidenceQuery, evidenceFile } from './evidence-file.js'
import { MakeBundle } from './make-bundle.js'

/** Answers one file that proves a document and its signatures without this registry (docs/evidence.md). */
export class GetDocumentEvidence {
  static readonly operation = operation({
    id: 'getDocumentEvidence',
    group: 'evidence',
    at: 'GET /:id/evidence',
    who: onDocument('view', { more: '; with the stored original for whoever may read that' }),
    summary: 'Read one file that proves a document without this registry',
    description:
      'Every signature with its time stamp and certificate status, the hashes, and what the registry says, signed by its statement key; the original where it is stored and the caller may read it. The same state gives the same bytes. JSON, or the file itself for who accepts application/zip, and for browsers that follow a link.',
    params: DocumentParams,
    query: EvidenceQuery,
    alsoAnswers: EVIDENCE_TYPES,
    answer: EvidenceFile,
    refuses: MakeBundle.refuses,
  })
  static readonly inject = { originals: BundledOriginals, making: MakeBundle }

  constructor(private readonly use: Injected<typeof GetDocumentEvidence.inject>) {}

  async execute(
    caller: Caller,
    { id, document, query = {} }: Admitted<typeof GetDocumentEvidence.operation>,
  ): Promise<EvidenceFile> {
    const one = await this.use.originals.withOriginal(caller, document, query.withoutOriginal)
    return evidenceFile(id, await this.use.making.make(caller, [one]))
  }
}
