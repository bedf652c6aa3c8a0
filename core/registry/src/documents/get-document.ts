import Type from 'typebox'
import type { Caller } from '../identity/index.js'
import { byItself } from '../identity/index.js'
import { Limits } from '../kernel/limits.js'
import { type Input, operation } from '../kernel/operation.js'
import { pageOfBytes, weightAsJson } from '../kernel/page-of-bytes.js'
import type { Injected } from '../kernel/service.js'
import { DataStates } from '../originals/index.js'
import type { Signature } from '../signatures/index.js'
import { DigestEnds } from './digest-ends.js'
import { DocumentAccess } from './document-access.js'
import { assertDocumentId, type DocumentRecord, DocumentStore, registratorObject } from './document-store.js'
import { DocumentVersions } from './document-versions.js'
import { type DocumentDigests, shownDigests } from './get-document-digests.js'
import { DocumentLimits } from './limits.js'
import { onDocument } from './on-document.js'
import { RoutedItems } from './ports.js'
import { DocumentParams, DocumentResource } from './schema.js'
import type { WrittenSignature } from './shown-signature.js'
import { SignatureStore } from './signature-store.js'

/** A document as in answers, except that each of its signatures is JSON text. */
export type WrittenDocument = Omit<DocumentResource, 'signatures'> & { readonly signatures: readonly string[] }

/** The default of e-mail notifications. */
const NO_NOTIFICATIONS = { to: [], doNotAttachDocument: false }

/**
 * Returns a document with a page of its signatures (specification, `GET /api/{id}`).
 * Read on with `lastSignId` until `signatures` is empty.
 */
export class GetDocument {
  static readonly operation = operation({
    id: 'getDocument',
    group: 'documents',
    at: 'GET /:id',
    who: byItself(onDocument('view')),
    summary: 'Read a document; read on with lastSignId until signatures is empty',
    description:
      'Whoever may view the document gets it with its signatures, 50 at a time. Times are milliseconds since the UNIX epoch.',
    params: DocumentParams,
    query: Type.Object({
      lastSignId: Type.Optional(Type.Integer({ description: 'answer the signatures after this one' })),
    }),
    answer: DocumentResource,
  })
  static readonly inject = {
    documents: DocumentStore,
    signatures: SignatureStore,
    access: DocumentAccess,
    routed: RoutedItems,
    versions: DocumentVersions,
    ends: DigestEnds,
    states: DataStates,
    limits: Limits,
    documentLimits: DocumentLimits,
  }

  constructor(private readonly use: Injected<typeof GetDocument.inject>) {}

  async execute(caller: Caller, input: Input<typeof GetDocument.operation>): Promise<DocumentResource> {
    return inObjects(await this.write(caller, input))
  }

  /** Like `execute`, with the hashes and the record, for callers that show more of it: reads the document once. */
  async withDigests(
    caller: Caller,
    input: Input<typeof GetDocument.operation>,
  ): Promise<{
    readonly document: DocumentResource
    readonly known: DocumentDigests
    readonly record: DocumentRecord
  }> {
    const { record, written } = await this.read(caller, input)
    return {
      record,
      document: inObjects(written),
      known: shownDigests(record, await this.use.documents.digests(record.id), this.use.ends),
    }
  }

  /**
   * Like `execute`, for hosts, which validate the input and answer in JSON: signatures are stored as JSON, and parsing and
   * serializing them would take most of the time.
   */
  async write(caller: Caller, input: Input<typeof GetDocument.operation>): Promise<WrittenDocument> {
    return (await this.read(caller, input)).written
  }

  private async read(
    caller: Caller,
    { id: documentId, query = {} }: Input<typeof GetDocument.operation>,
  ): Promise<{ readonly record: DocumentRecord; readonly written: WrittenDocument }> {
    assertDocumentId(documentId)
    const { lastSignId = 0 } = query
    const { signaturesPerCall } = this.use.documentLimits
    const [page, asked, state, items] = await Promise.all([
      this.use.signatures.writtenPage(documentId, lastSignId, signaturesPerCall),
      this.use.documents.get(documentId),
      this.use.states.ask(documentId),
      this.use.routed.idsFor(caller, { documentId }),
    ])
    // A later signature may close the document, so it must not be shown by an earlier read.
    const isCounted = page.length === 0 || (lastSignId === 0 && page.length <= asked.signaturesTotal)
    const document = isCounted ? asked : await this.use.documents.get(documentId)
    await this.use.access.assertMay('view', caller, document, page)
    const signatures = await pageOfBytes(page, this.use.limits.pageBytes, ({ signId }) => signId, shown, weightOf)
    const written = {
      title: document.title,
      description: document.description,
      signedDataSize: document.signedDataSize,
      emailNotifications: { ...NO_NOTIFICATIONS, ...document.emailNotifications },
      signatureEmailNotifications: signatures.flatMap(({ notifications }) => notifications ?? []),
      settings: document.settings,
      signaturesTotal: document.signaturesTotal,
      signatures: signatures.map(({ json }) => json),
      ...(await this.use.states.of(document, state)),
      ...(document.registrator && { registrator: registratorObject(document.registrator) }),
      ...(await this.use.versions.of(caller, documentId)),
      ...items,
    }
    return { record: document, written }
  }
}

const parsed = (json: string): Signature => JSON.parse(json)

const inObjects = (document: WrittenDocument): DocumentResource => ({
  ...document,
  signatures: document.signatures.map(parsed),
})

const shown = ({ json, signId, emailNotifications }: WrittenSignature) => ({
  json,
  notifications: emailNotifications && { signId, ...NO_NOTIFICATIONS, ...emailNotifications },
})

const weightOf = ({ json, notifications }: ReturnType<typeof shown>): number =>
  Buffer.byteLength(json) + weightAsJson(notifications ?? {})
