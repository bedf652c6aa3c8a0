import { RegistryError } from '@signed-registry/verifier'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { TimeStampBytes } from '../signatures/index.js'
import { ReportLimits } from './limits.js'
import type { NoteTimeStamp } from './schema.js'

const HOUR_MS = 60 * 60 * 1000

/** Who pays for a time stamp: people by themselves, whatever they work for, information systems by their organization. */
const payerOf = (caller: Caller): string | undefined =>
  caller.kind === 'anonymous' ? undefined : caller.kind === 'system' ? caller.bin : caller.iin

/** Bounds how many time stamps each caller may ask for in an hour of the clock; each host counts for itself. */
export class StampBudget {
  static readonly inject = { clock: Clock, limits: ReportLimits }
  private hour = 0
  private readonly taken = new Map<string, number>()

  constructor(private readonly use: Injected<typeof StampBudget.inject>) {}

  /** Counts one; whether there was one left. Nobody whom the registry does not know has any. */
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

/** Has signed notes time-stamped for callers whom the registry knows; no authority is asked on a stranger's word. */
export class NoteStamps {
  static readonly inject = { budget: StampBudget, bytes: TimeStampBytes }

  constructor(private readonly use: Injected<typeof NoteStamps.inject>) {}

  /** A time stamp over the note as it is written, or why there is none. */
  async stamp(note: string, caller: Caller): Promise<NoteTimeStamp> {
    const { budget, bytes } = this.use
    const share = budget.take(caller)
    if (share !== 'taken') return { state: share === 'none' ? 'limitReached' : 'notAsked' }
    try {
      const { token, genTime } = await bytes.stamp(Buffer.from(note))
      return { state: 'made', token: Buffer.from(token).toString('base64'), genTime }
    } catch (error) {
      // The report is as true without it.
      if (error instanceof RegistryError && error.code === 'tspServerProblem') return { state: 'unavailable' }
      throw error
    }
  }
}
