import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { ProcedureBodies } from './bodies.js'
import { HeldCallsByDirectory } from './held-calls-by-directory.js'
import { ProcedureLimits } from './limits.js'
import { MoveProcedure } from './move-procedure.js'
import { PhoneStore } from './phone-store.js'
import { type ProcedureKind, ProcedureStore } from './procedure-store.js'

const AT_ONCE = 100
/** Somebody may still be reading an expired procedure. */
const GRACE_MS = 60_000
/** No call is held longer than this. */
const MAX_HOLD_MS = 24 * 60 * 60_000
const SIMPLIFIED: readonly ProcedureKind[] = ['document', 'package']

/** Expires procedures and wakes the calls that wait for them. */
export class ExpireProcedures {
  static readonly task = { name: 'expireProcedures', schedule: '*/5 * * * * *' }
  static readonly inject = { procedures: ProcedureStore, moves: MoveProcedure, clock: Clock }

  constructor(private readonly use: Injected<typeof ExpireProcedures.inject>) {}

  async run(): Promise<void> {
    for (;;) {
      const overdue = await this.use.procedures.overdue(this.use.clock.now(), AT_ONCE)
      for (const procedure of overdue) await this.use.moves.expire(procedure)
      if (overdue.length < AT_ONCE) return
    }
  }
}

/** Deletes the bodies of ended procedures, and their records after a month. */
export class ForgetProcedures {
  static readonly task = { name: 'forgetProcedures', schedule: '*/5 * * * *' }
  static readonly inject = {
    procedures: ProcedureStore,
    phones: PhoneStore,
    bodies: ProcedureBodies,
    held: HeldCallsByDirectory,
    clock: Clock,
    limits: ProcedureLimits,
  }

  constructor(private readonly use: Injected<typeof ForgetProcedures.inject>) {}

  async run(): Promise<void> {
    const now = this.use.clock.now()
    await this.each(['raw', 'login'], now - GRACE_MS)
    await this.use.bodies.sweep(now - GRACE_MS, AT_ONCE)
    await this.each(SIMPLIFIED, now - this.use.limits.procedureRetentionMs)
    await this.use.held.sweep(now - MAX_HOLD_MS)
  }

  private async each(kinds: readonly ProcedureKind[], before: number): Promise<void> {
    for (;;) {
      const ids = await this.use.procedures.ended(kinds, before, AT_ONCE)
      await this.use.bodies.dropOf(ids)
      await this.use.phones.removeOf(ids)
      await this.use.procedures.remove(ids)
      if (ids.length < AT_ONCE) return
    }
  }
}
