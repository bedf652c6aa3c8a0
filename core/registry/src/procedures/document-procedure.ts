import Type, { type Static } from 'typebox'
import { DocumentParams, EmailNotifications, onDocument } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { byItself } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { ProcedureRecords, recordOf } from './procedure-records.js'
import { CanceledProcedure, Meta, recordFields } from './schema.js'

const DocumentProcedureParams = Type.Object({
  ...DocumentParams.properties,
  operationId: Type.String({ description: 'identifier of the procedure' }),
})

/** Answer of `GET /api/{id}/govOperation/{operationId}`. */
export const DocumentProcedure = Type.Object(
  {
    ...recordFields,
    userId: Type.Optional(Type.String({ description: 'IIN' })),
    signId: Type.Optional(Type.Integer({ description: 'present when it is done' })),
    meta: Type.Array(Meta),
    signatureEmailNotifications: Type.Optional(EmailNotifications),
  },
  { $id: 'DocumentProcedure' },
)
export type DocumentProcedure = Static<typeof DocumentProcedure>

/** Answers the state of a document's signing by the app (specification, `GET /api/{id}/govOperation/{operationId}`). */
export class GetDocumentProcedure {
  static readonly operation = operation({
    id: 'getDocumentProcedure',
    group: 'phone',
    at: 'GET /:id/govOperation/:operationId',
    aliases: [{ at: 'GET /:id/egovOperation/:operationId' }],
    who: byItself(onDocument('readData', { authenticated: true })),
    summary: 'How the signing of a document by the app stands: JSON, or every change as text/event-stream',
    description: 'Who accepts `text/event-stream` is told every change until the end.',
    params: DocumentProcedureParams,
    answer: DocumentProcedure,
    alsoAnswers: ['text/event-stream'],
    refuses: ['operationNotFound'],
  })
  static readonly inject = { records: ProcedureRecords }

  constructor(private readonly use: Injected<typeof GetDocumentProcedure.inject>) {}

  async execute(
    caller: Caller,
    { id: documentId, operationId }: Input<typeof GetDocumentProcedure.operation>,
  ): Promise<DocumentProcedure> {
    const procedure = await this.use.records.get(caller, { documentId }, operationId)
    const { userId, meta = [], signatureEmailNotifications } = procedure.details
    const [signId] = procedure.signIds ?? []
    return {
      ...recordOf(procedure),
      ...(userId !== undefined && { userId }),
      ...(signId !== undefined && { signId }),
      meta: [...(meta[0] ?? [])],
      ...(signatureEmailNotifications !== undefined && { signatureEmailNotifications }),
    }
  }
}

/** Cancels the signing of a document by the app (specification, `DELETE /api/{id}/govOperation/{operationId}`). */
export class CancelDocumentProcedure {
  static readonly operation = operation({
    id: 'cancelDocumentProcedure',
    group: 'phone',
    at: 'DELETE /:id/govOperation/:operationId',
    aliases: [{ at: 'DELETE /:id/egovOperation/:operationId' }],
    who: byItself(onDocument('readData', { authenticated: true })),
    summary: 'Cancel the signing of a document by the app',
    description: 'A procedure that has ended stays as it is.',
    params: DocumentProcedureParams,
    answer: CanceledProcedure,
    refuses: ['operationNotFound', 'qrInvalidState'],
  })
  static readonly inject = GetDocumentProcedure.inject

  constructor(private readonly use: Injected<typeof CancelDocumentProcedure.inject>) {}

  async execute(
    caller: Caller,
    { id: documentId, operationId }: Input<typeof CancelDocumentProcedure.operation>,
  ): Promise<CanceledProcedure> {
    await this.use.records.cancel(caller, { documentId }, operationId)
    return { operationId }
  }
}
