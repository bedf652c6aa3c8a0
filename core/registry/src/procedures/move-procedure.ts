import { Database } from '../database/database.js'
import { EventPublisher } from '../events/index.js'
import type { Injected } from '../kernel/service.js'
import { procedureErrors } from './errors.js'
import { HeldCalls } from './held-calls.js'
import { OPEN, type Procedure, type ProcedureFailure, type ProcedureStatus, ProcedureStore } from './procedure-store.js'

type Change = Parameters<ProcedureStore['move']>[2]

/** Moves procedures from status to status, and tells everybody who waits for that. */
export class MoveProcedure {
  static readonly inject = { procedures: ProcedureStore, held: HeldCalls, events: EventPublisher, database: Database }

  constructor(private readonly use: Injected<typeof MoveProcedure.inject>) {}

  /** True when the procedure stood in one of these statuses, and moved; in the caller's transaction, where there is one. */
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

  /** As `move`; rejects with `qrInvalidState` where somebody else was first. */
  async mustMove(procedure: Procedure, from: readonly ProcedureStatus[], change: Change): Promise<void> {
    if (!(await this.move(procedure, from, change))) throw procedureErrors.error('qrInvalidState')
  }

  /** Ends a procedure of which nothing will come. */
  fail(procedure: Procedure, errors: ProcedureFailure): Promise<boolean> {
    return this.move(procedure, OPEN, { status: 'fail', errors })
  }

  /** Ends a procedure whose time is over; a raw one says nothing of it but its status. */
  expire(procedure: Procedure): Promise<boolean> {
    return this.fail(procedure, { service: procedureErrors.texts.operationExpired.message })
  }
}
