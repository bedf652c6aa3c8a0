import type { Caller } from '../identity/index.js'
import { cmsPem, exportCms } from '../signatures/index.js'
import { DocumentAccess } from './document-access.js'
import { DocumentStore } from './document-store.js'
import { documentErrors } from './errors.js'
import type { ExportedSignature } from './schema.js'
import { SignatureStore } from './signature-store.js'

const WITH_EVIDENCE = 0
const AS_RECEIVED = 1

/** Exports a signature, with its time stamp and certificate status or as received (specification, `GET /api/{id}/signature/{signId}`). */
export class ExportSignature {
  static readonly inject = [DocumentStore, SignatureStore, DocumentAccess] as const

  constructor(
    private readonly documents: DocumentStore,
    private readonly signatures: SignatureStore,
    private readonly access: DocumentAccess,
  ) {}

  async execute(
    caller: Caller,
    documentId: string,
    signId: number,
    query: { signFormat?: number | undefined; cmsAsPem?: boolean | undefined } = {},
  ): Promise<ExportedSignature> {
    const { signFormat = WITH_EVIDENCE, cmsAsPem = false } = query
    if (signFormat !== WITH_EVIDENCE && signFormat !== AS_RECEIVED) {
      throw documentErrors.error('invalidSignatureExportFormat')
    }
    await this.access.assertMay('view', caller, await this.documents.get(documentId))
    const stored = await this.signatures.get(documentId, signId)
    const { signType } = stored.facts
    if (signType === 'xml') {
      return { documentId, signId, signType, signFormat, signature: Buffer.from(stored.signature).toString('utf8') }
    }
    const cms =
      signFormat === AS_RECEIVED
        ? stored.signature
        : exportCms(stored.signature, await this.signatures.evidence(stored))
    const signature = cmsAsPem ? cmsPem(cms) : Buffer.from(cms).toString('base64')
    return { documentId, signId, signType, signFormat, signature }
  }
}
