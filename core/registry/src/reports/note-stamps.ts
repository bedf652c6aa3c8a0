import { RegistryError } from '@signed-registry/verifier'
import type { Caller } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import { TimeStampBytes } from '../signatures/index.js'
import type { NoteTimeStamp } from './schema.js'
import { StampBudget } from './stamp-budget.js'

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
