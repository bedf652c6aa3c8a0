import { Database } from '../database/database.js'
import { EventPublisher } from '../events/index.js'
import type { Injected } from '../kernel/service.js'
import { procedureErrors } from './errors.js'
import { HeldCalls } from './held-calls.js'
import { OPEN, type Procedure, type ProcedureFailure, type ProcedureStatus, ProcedureStore } from './procedure-store.js'

type Change = Parameters<ProcedureStore['move']>[2]

/** Changes the status of procedures and wakes everybody who waits for that. */
export class MoveProcedure {
  static readonly inject = { procedures: ProcedureStore, held: HeldCalls, events: EventPublisher, database: Database }

  constructor(private readonly use: Injected<typeof MoveProcedure.inject>) {}

  /** Moves the procedure if it is in one of these statuses, in the caller's transaction if there is one; false if not. */
  async move(procedure: Procedure, from: readonly ProcedureStatus[], change: Change): Promise<boolean> {
    const { id, kind, documentId, packageId, details } = procedure
    return this.use.database.transaction(async () => {
      if (!(await this.use.procedures.move(id, from, change))) return false
      this.use.held.wake(id)
      const { status } = change
      if (status === undefined || kind === 'raw' || kind === 'login') return true
      const { businessId } = details
      const of = documentId === undefined ? { packageId: packageId ?? '' } : { documentId }
      await this.use.events.publish({ type: 'procedureChanged', ...of, operationId: id, status, businessId })
      return true
    })
  }

  /** As `move`, but rejects with `qrInvalidState`. */
  async mustMove(procedure: Procedure, from: readonly ProcedureStatus[], change: Change): Promise<void> {
    if (!(await this.move(procedure, from, change))) throw procedureErrors.error('qrInvalidState')
  }

  /** Ends a procedure as failed. */
  fail(procedure: Procedure, errors: ProcedureFailure): Promise<boolean> {
    return this.move(procedure, OPEN, { status: 'fail', errors })
  }

  /** Ends an overdue procedure; a raw one gets no error, only the status. */
  expire(procedure: Procedure): Promise<boolean> {
    return this.fail(procedure, { service: procedureErrors.texts.operationExpired.message })
  }
}
