import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { procedureErrors } from './errors.js'
import { MoveProcedure } from './move-procedure.js'
import { PhoneStore } from './phone-store.js'
import {
  isOpen,
  keyOf,
  PROCEDURE_KINDS,
  type Procedure,
  type ProcedureKind,
  ProcedureStore,
} from './procedure-store.js'

/** Finds procedures in their current state: an overdue one has failed even if that is not stored yet. */
export class FindProcedure {
  static readonly inject = { procedures: ProcedureStore, phones: PhoneStore, moves: MoveProcedure, clock: Clock }

  constructor(private readonly use: Injected<typeof FindProcedure.inject>) {}

  /** Rejects with `qrNotActive` for an unknown secret or an ended procedure. */
  async bySecret(
    side: 'appKey' | 'callerKey',
    secret: string,
    kinds: readonly ProcedureKind[] = PROCEDURE_KINDS,
  ): Promise<Procedure> {
    const found = await this.use.procedures.findByKey(side, secret)
    return this.active(found && kinds.includes(found.kind) ? found : undefined)
  }

  /** By the secret that one phone was given; rejects as `bySecret`. */
  async byPhone(secret: string): Promise<Procedure> {
    const phone = await this.use.phones.find(keyOf(secret))
    return this.active(phone && (await this.use.procedures.find(phone.procedureId)))
  }

  async byId(id: string): Promise<Procedure | undefined> {
    const found = await this.use.procedures.find(id)
    return found && this.current(found)
  }

  /** Reads a procedure again. Rejects with `qrNotActive` where it was deleted. */
  async again({ id }: Procedure): Promise<Procedure> {
    const found = await this.byId(id)
    if (found === undefined) throw procedureErrors.error('qrNotActive')
    return found
  }

  private async active(found: Procedure | undefined): Promise<Procedure> {
    if (found === undefined) throw procedureErrors.error('qrNotActive')
    if (this.isOver(found)) throw procedureErrors.error('qrNotActive', { status: (await this.current(found)).status })
    return found
  }

  private async current(found: Procedure): Promise<Procedure> {
    if (!isOpen(found.status) || !this.isOver(found)) return found
    await this.use.moves.expire(found)
    return (await this.use.procedures.find(found.id)) ?? found
  }

  private isOver({ expireAt }: Procedure): boolean {
    return expireAt <= this.use.clock.now()
  }
}
