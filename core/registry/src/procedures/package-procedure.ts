import Type, { type Static } from 'typebox'
import type { Caller } from '../identity/index.js'
import { byItself } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { onPackage, PackageEmailNotifications, PackageParams } from '../packages/index.js'
import { ProcedureRecords, recordOf } from './procedure-records.js'
import { CanceledProcedure, Meta, recordFields } from './schema.js'

const PackageProcedureParams = Type.Object({
  ...PackageParams.properties,
  operationId: Type.String({ description: 'identifier of the procedure' }),
})

/** Answer of `GET /api/package/{packageId}/govOperation/{operationId}`. */
export const PackageProcedure = Type.Object(
  {
    ...recordFields,
    meta: Type.Array(Type.Array(Meta), { description: 'one list for each document' }),
    signIds: Type.Array(Type.Integer(), { description: 'empty until it is done' }),
    signatureEmailNotifications: Type.Optional(PackageEmailNotifications),
  },
  { $id: 'PackageProcedure' },
)
export type PackageProcedure = Static<typeof PackageProcedure>

/** Answers the state of a package's signing by the app (specification, `GET /api/package/{packageId}/govOperation/{operationId}`). */
export class GetPackageProcedure {
  static readonly operation = operation({
    id: 'getPackageProcedure',
    group: 'phone',
    at: 'GET /package/:packageId/govOperation/:operationId',
    aliases: [{ at: 'GET /package/:packageId/egovOperation/:operationId' }],
    who: byItself(onPackage('view', { authenticated: true })),
    summary: 'How the signing of a package by the app stands: JSON, or every change as text/event-stream',
    description: 'Who accepts `text/event-stream` is told every change until the end.',
    params: PackageProcedureParams,
    answer: PackageProcedure,
    alsoAnswers: ['text/event-stream'],
    refuses: ['operationNotFound'],
  })
  static readonly inject = { records: ProcedureRecords }

  constructor(private readonly use: Injected<typeof GetPackageProcedure.inject>) {}

  async execute(
    caller: Caller,
    { packageId, operationId }: Input<typeof GetPackageProcedure.operation>,
  ): Promise<PackageProcedure> {
    const procedure = await this.use.records.get(caller, { packageId }, operationId)
    const { meta = [], signatureEmailNotifications } = procedure.details
    return {
      ...recordOf(procedure),
      meta: meta.map((items) => [...items]),
      signIds: [...(procedure.signIds ?? [])],
      ...(signatureEmailNotifications !== undefined && { signatureEmailNotifications }),
    }
  }
}

/** Cancels the signing of a package by the app (specification, `DELETE /api/package/{packageId}/govOperation/{operationId}`). */
export class CancelPackageProcedure {
  static readonly operation = operation({
    id: 'cancelPackageProcedure',
    group: 'phone',
    at: 'DELETE /package/:packageId/govOperation/:operationId',
    aliases: [{ at: 'DELETE /package/:packageId/egovOperation/:operationId' }],
    who: byItself(onPackage('view', { authenticated: true })),
    summary: 'Cancel the signing of a package by the app',
    description: 'A procedure that has ended stays as it is.',
    params: PackageProcedureParams,
    answer: CanceledProcedure,
    refuses: ['operationNotFound'],
  })
  static readonly inject = GetPackageProcedure.inject

  constructor(private readonly use: Injected<typeof CancelPackageProcedure.inject>) {}

  async execute(
    caller: Caller,
    { packageId, operationId }: Input<typeof CancelPackageProcedure.operation>,
  ): Promise<CanceledProcedure> {
    await this.use.records.cancel(caller, { packageId }, operationId)
    return { operationId }
  }
}
