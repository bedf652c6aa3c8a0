import { DocumentParams, onDocument, VerifyAgain } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { collect, once } from '../originals/index.js'
import { EVIDENCE_TYPES, EvidenceFile, evidenceFile } from './evidence-file.js'
import { EvidenceWork } from './evidence-work.js'
import { MakeBundle } from './make-bundle.js'

const SHA_256 = '2.16.840.1.101.3.4.2.1'

/**
 * As `GetDocumentEvidence`, with an original that is not stored: it and all signatures are verified again, and it is archived, as
 * `POST /api/{id}/verify` does.
 */
export class BuildDocumentEvidence {
  static readonly operation = operation({
    id: 'buildDocumentEvidence',
    group: 'evidence',
    at: 'POST /:id/evidence',
    who: onDocument('view'),
    summary: 'Build one file that proves a document without this registry, from its original',
    description:
      'As GET of this address, for an original that is not stored, of at most 50 MiB. The original and all signatures are judged again before.',
    params: DocumentParams,
    upload: true,
    alsoAnswers: EVIDENCE_TYPES,
    answer: EvidenceFile,
    refuses: [...MakeBundle.refuses, 'signatureDoesNotCorrespond'],
  })
  static readonly inject = { verification: VerifyAgain, making: MakeBundle, work: EvidenceWork }

  constructor(private readonly use: Injected<typeof BuildDocumentEvidence.inject>) {}

  async execute(
    caller: Caller,
    { id, document, upload }: Admitted<typeof BuildDocumentEvidence.operation>,
  ): Promise<EvidenceFile> {
    return this.use.work.withFile(caller, upload.size, async () => {
      const { upload: passing, bytes } = collect(upload)
      await this.use.verification.verify(caller, document, passing, [SHA_256])
      const original = bytes()
      const made = await this.use.making.make(caller, [{ document, original: () => once(original) }])
      return evidenceFile(id, { ...made, held: made.held + original.length })
    })
  }
}
