import { RegistryError } from '@signed-registry/verifier'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { TimeStampBytes } from '../signatures/index.js'
import { ReportLimits } from './limits.js'
import type { NoteTimeStamp } from './schema.js'

const HOUR_MS = 60 * 60 * 1000

/** Whose limit a time stamp counts against: a person's own, also as an employee; a system's organization's. */
const payerOf = (caller: Caller): string | undefined =>
  caller.kind === 'anonymous' ? undefined : caller.kind === 'system' ? caller.bin : caller.iin

/** Limits time stamps per caller and clock hour; each host counts for itself. */
export class StampBudget {
  static readonly inject = { clock: Clock, limits: ReportLimits }
  private hour = 0
  private readonly taken = new Map<string, number>()

  constructor(private readonly use: Injected<typeof StampBudget.inject>) {}

  /** Counts one, if one is left; anonymous callers have none. */
  take(caller: Caller): 'taken' | 'notShared' | 'none' {
    const payer = payerOf(caller)
    if (payer === undefined) return 'notShared'
    const hour = Math.floor(this.use.clock.now() / HOUR_MS)
    if (hour !== this.hour) this.taken.clear()
    this.hour = hour
    const before = this.taken.get(payer) ?? 0
    if (before >= this.use.limits.stampedReportsPerHour) return 'none'
    this.taken.set(payer, before + 1)
    return 'taken'
  }
}

/** Gets time stamps for signed notes, for authenticated callers only. */
export class NoteStamps {
  static readonly inject = { budget: StampBudget, bytes: TimeStampBytes }

  constructor(private readonly use: Injected<typeof NoteStamps.inject>) {}

  /** A time stamp over the text of the note, or why there is none. */
  async stamp(note: string, caller: Caller): Promise<NoteTimeStamp> {
    const { budget, bytes } = this.use
    const share = budget.take(caller)
    if (share !== 'taken') return { state: share === 'none' ? 'limitReached' : 'notAsked' }
    try {
      const { token, genTime } = await bytes.stamp(Buffer.from(note))
      return { state: 'made', token: Buffer.from(token).toString('base64'), genTime }
    } catch (error) {
      // The report is valid without it.
      if (error instanceof RegistryError && error.code === 'tspServerProblem') return { state: 'unavailable' }
      throw error
    }
  }
}
