import Type, { type Static } from 'typebox'
import type { Caller } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { cmsPem, type Evidence, exportCms, longTermCms, readCertificates } from '../signatures/index.js'
import { documentErrors } from './errors.js'
import { onDocument } from './on-document.js'
import { SignatureParams } from './schema.js'
import type { SignatureRecord } from './signature-record.js'
import { SignatureStore } from './signature-store.js'

const WITH_EVIDENCE = 0
const AS_RECEIVED = 1
const LONG_TERM = 2
const FORMS: readonly number[] = [WITH_EVIDENCE, AS_RECEIVED, LONG_TERM]

/** Answer of `GET /api/{id}/signature/{signId}`. */
export const ExportedSignature = Type.Object(
  {
    documentId: Type.String(),
    signId: Type.Integer(),
    signType: Type.Enum(['cms', 'xml']),
    signFormat: Type.Integer(),
    signature: Type.String(),
  },
  { $id: 'ExportedSignature' },
)
export type ExportedSignature = Static<typeof ExportedSignature>

/** The form to export a signature in. */
export const ExportQuery = Type.Object({
  signFormat: Type.Optional(
    Type.Integer({
      description:
        '0: with its evidence in unsigned attributes (default); 1: as received; 2: CAdES-B-LT, with the certificates of its paths too. XML is answered as received',
    }),
  ),
  cmsAsPem: Type.Optional(Type.Boolean({ description: 'PEM in place of base64 (default false)' })),
})

/** Refuses an unknown form before anything is read. */
function assertExportFormat(signFormat = WITH_EVIDENCE): void {
  if (!FORMS.includes(signFormat)) throw documentErrors.error('invalidSignatureExportFormat')
}

/** A signature in the requested form, and its octets. */
export function exportedForm(
  stored: SignatureRecord,
  evidence: Evidence,
  { signFormat = WITH_EVIDENCE, cmsAsPem = false }: Static<typeof ExportQuery>,
): { exported: ExportedSignature; bytes: Uint8Array } {
  assertExportFormat(signFormat)
  const { documentId, signId } = stored
  const { signType } = stored.facts
  const isCms = signType === 'cms'
  const bytes = isCms ? cmsInForm(stored.signature, evidence, signFormat) : stored.signature
  const text = isCms && !cmsAsPem ? 'base64' : 'utf8'
  const signature = isCms && cmsAsPem ? cmsPem(bytes) : Buffer.from(bytes).toString(text)
  return { exported: { documentId, signId, signType, signFormat, signature }, bytes }
}

function cmsInForm(kept: Uint8Array, evidence: Evidence, signFormat: number): Uint8Array {
  if (signFormat === AS_RECEIVED) return kept
  if (signFormat === WITH_EVIDENCE) return exportCms(kept, evidence)
  return longTermCms(kept, { ...evidence, certificates: readCertificates(evidence.certificates).map(({ der }) => der) })
}

/** Exports a signature, with its time stamp and certificate status or as received (specification, `GET /api/{id}/signature/{signId}`). */
export class ExportSignature {
  static readonly operation = operation({
    id: 'exportSignature',
    group: 'documents',
    at: 'GET /:id/signature/:signId',
    who: onDocument('view'),
    summary: 'Export a signature',
    description:
      'In base64, or as PEM or XML text. With its evidence it can be verified by other programs, with OpenSSL for example; as CAdES-B-LT (ETSI EN 319 122-1) also by those that look for OCSP answers and CRLs in SignedData alone.',
    params: SignatureParams,
    query: ExportQuery,
    answer: ExportedSignature,
    refuses: ['invalidSignatureExportFormat', 'invalidSignatureIdentifier'],
  })
  static readonly inject = { signatures: SignatureStore }

  constructor(private readonly use: Injected<typeof ExportSignature.inject>) {}

  async execute(
    _caller: Caller,
    { id: documentId, signId, query = {} }: Input<typeof ExportSignature.operation>,
  ): Promise<ExportedSignature> {
    assertExportFormat(query.signFormat)
    const stored = await this.use.signatures.get(documentId, signId)
    return exportedForm(stored, await this.use.signatures.evidence(stored), query).exported
  }
}
