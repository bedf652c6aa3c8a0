import { kindOfOwner, type Owner } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { Shares } from '../ledger/index.js'
import { procedureErrors } from './errors.js'
import { MoveProcedure } from './move-procedure.js'
import { type ProcedureKind, ProcedureStore } from './procedure-store.js'

const LOGINS: readonly ProcedureKind[] = ['login']
const SIGNINGS: readonly ProcedureKind[] = ['raw', 'document', 'package']

/**
 * Bounds how many procedures are open at once, by the shares `procedures` and `logins`. They are counted as they stand: those
 * that begin in the same moment may be a few too many, each of which is but a row.
 */
export class ProcedureRoom {
  static readonly inject = { procedures: ProcedureStore, moves: MoveProcedure, shares: Shares, clock: Clock }

  constructor(private readonly use: Injected<typeof ProcedureRoom.inject>) {}

  /** Finds or makes room for one more of an owner; rejects with `qrTooMany` where there is none. */
  async make(owner: Owner, kind: ProcedureKind): Promise<void> {
    const [resource, kinds] = kind === 'login' ? (['logins', LOGINS] as const) : (['procedures', SIGNINGS] as const)
    const share = this.use.shares[resource]
    const of = kindOfOwner(owner)
    const refuse = (limit: number) => procedureErrors.error('qrTooMany', { resource, limit })
    const count = (whose: Owner) => this.use.procedures.countOpen(kinds, this.use.clock.now(), whose)
    const own = await count(owner)
    if (share[of] > 0 && own >= share[of]) throw refuse(share[of])
    if (share.whole > 0 && (await count('all')) >= share.whole) throw refuse(share.whole)
    if (of !== 'stranger' || share.strangers === 0 || (await count('strangers')) < share.strangers) return
    if (!(await this.takeFromGreediest(kinds, own))) throw refuse(share.strangers)
  }

  /**
   * Where strangers have all that is there for them, whoever has most gives the oldest one to a stranger who has fewer: so
   * addresses come to have equally many, and it takes as many as there are procedures to keep another one out.
   */
  private async takeFromGreediest(kinds: readonly ProcedureKind[], own: number): Promise<boolean> {
    const now = this.use.clock.now()
    const greediest = await this.use.procedures.greediest(kinds, now)
    if (greediest === undefined || greediest.total <= own + 1) return false
    const oldest = await this.use.procedures.oldestOpen(kinds, now, greediest.by)
    if (oldest) await this.use.moves.fail(oldest, { service: procedureErrors.texts.qrTooMany.message })
    return true
  }
}
