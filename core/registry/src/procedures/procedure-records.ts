import { DocumentAccess, DocumentStore } from '../documents/index.js'
import { assertAuthenticated, type Caller } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import { PackageAccess, PackageStore } from '../packages/index.js'
import { procedureErrors } from './errors.js'
import { FindProcedure } from './find-procedure.js'
import { MoveProcedure } from './move-procedure.js'
import { OPEN, type Procedure } from './procedure-store.js'

/** What the procedure signs. */
type Of = { readonly documentId: string } | { readonly packageId: string }

/** Finds and cancels procedures for callers who may read the document's original or view the package. */
export class ProcedureRecords {
  static readonly inject = {
    documents: DocumentStore,
    documentAccess: DocumentAccess,
    packages: PackageStore,
    packageAccess: PackageAccess,
    find: FindProcedure,
    moves: MoveProcedure,
  }

  constructor(private readonly use: Injected<typeof ProcedureRecords.inject>) {}

  /** Rejects with `operationNotFound`, also for a procedure of another document or package. */
  async get(caller: Caller, of: Of, operationId: string): Promise<Procedure> {
    await this.assertMaySee(caller, of)
    const found = await this.use.find.byId(operationId)
    const isOf = 'documentId' in of ? found?.documentId === of.documentId : found?.packageId === of.packageId
    if (found === undefined || !isOf) throw procedureErrors.error('operationNotFound')
    return found
  }

  /** Rejects with `qrInvalidState` for one that has ended. */
  async cancel(caller: Caller, of: Of, operationId: string): Promise<void> {
    const procedure = await this.get(caller, of, operationId)
    const { status } = procedure
    if (!(await this.use.moves.move(procedure, OPEN, { status: 'canceled' })))
      throw procedureErrors.error('qrInvalidState', { status })
  }

  private async assertMaySee(caller: Caller, of: Of): Promise<void> {
    if ('documentId' in of) {
      const document = await this.use.documents.get(of.documentId)
      assertAuthenticated(caller)
      await this.use.documentAccess.assertMay('readData', caller, document)
    } else {
      const found = await this.use.packages.get(of.packageId)
      assertAuthenticated(caller)
      await this.use.packageAccess.assertMay('view', caller, found)
    }
  }
}

/** Fields of both kinds of records (specification, "Signing procedure records"). */
export function recordOf({ id, status, createdAt, expireAt, details, errors }: Procedure) {
  const { gov, service } = errors ?? {}
  return {
    ...{ operationId: id, status, createdAt, expireAt, description: details.description },
    ...(errors && {
      errors: {
        ...(gov !== undefined && { gov, egov: gov }),
        ...(service !== undefined && { service, sigex: service }),
      },
    }),
  }
}
