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
 * Limits open procedures by the shares `procedures` and `logins`. The count is not locked: procedures that begin at the same
 * moment may exceed it by a few, each of which is only a row.
 */
export class ProcedureRoom {
  static readonly inject = { procedures: ProcedureStore, moves: MoveProcedure, shares: Shares, clock: Clock }

  constructor(private readonly use: Injected<typeof ProcedureRoom.inject>) {}

  /** Makes room for one more procedure of an owner; rejects with `qrTooMany` where there is none. */
  async make(owner: Owner, kind: ProcedureKind): Promise<void> {
    const [resource, kinds] = kind === 'login' ? (['logins', LOGINS] as const) : (['procedures', SIGNINGS] as const)
    const share = this.use.shares[resource]
    const of = kindOfOwner(owner)
    const refuse = (limit: number) => procedureErrors.error('qrTooMany', { resource, limit })
    const count = (whose: Owner | 'strangers' | 'all') =>
      this.use.procedures.countOpen(kinds, this.use.clock.now(), whose)
    // A share without a limit is not counted: it may be any number.
    const isFull = async (limit: number, whose: Owner | 'strangers' | 'all') =>
      limit > 0 && (await count(whose)) >= limit
    if (await isFull(share[of], owner)) throw refuse(share[of])
    if (await isFull(share.whole, 'all')) throw refuse(share.whole)
    if (of !== 'stranger' || !(await isFull(share.strangers, 'strangers'))) return
    if (!(await this.takeFromGreediest(kinds, await count(owner)))) throw refuse(share.strangers)
  }

  /**
   * When the strangers' share is used up, the oldest procedure of the address with most of them gives way to an address with
   * fewer. So addresses end up with equal numbers, and locking one out takes as many addresses as there are procedures.
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
