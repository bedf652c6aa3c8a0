import { policyVerdict } from '@signed-registry/verifier/log'
import { Clock } from '../kernel/clock.js'
import { RegistryError } from '../kernel/error.js'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { TimeStampBytes } from '../signatures/index.js'
import { CheckpointStore } from './checkpoint-store.js'
import { LogEntries } from './log-entries.js'
import { LogSettings } from './log-settings.js'
import type { Log } from './log-store.js'

const HOUR_MS = 60 * 60_000
/** After a refusal of the authority. */
const PAUSE_MS = 5 * 60_000
/** The entry about the stamp itself needs no other stamp. */
const ITS_OWN_ENTRY = 1

/** Gets a time stamp over a checkpoint every hour in which something was logged: it proves when. */
export class StampCheckpoint {
  static readonly inject = {
    checkpoints: CheckpointStore,
    entries: LogEntries,
    stamps: TimeStampBytes,
    settings: LogSettings,
    clock: Clock,
    logger: Logger,
  }
  private pausedUntil = 0

  constructor(private readonly use: Injected<typeof StampCheckpoint.inject>) {}

  /** Stamps the newest checkpoint of a log where an hour has passed since the last stamp. */
  async run({ log, startedAt }: Pick<Log, 'log' | 'startedAt'>): Promise<void> {
    const { checkpoints, entries, clock, settings, stamps } = this.use
    const now = clock.now()
    const newest = await checkpoints.newest(log)
    if (newest === undefined || newest.stampedAt !== undefined || now < this.pausedUntil) return
    const last = await checkpoints.newestStamped(log)
    if (last?.stampedAt !== undefined && !isDue(newest.size, { ...last, stampedAt: last.stampedAt }, now)) return
    if (now < (last?.stampedAt ?? startedAt - HOUR_MS) + 2 * HOUR_MS && !this.isCosigned(newest.note)) return
    try {
      const { token, genTime } = await stamps.stamp(Buffer.from(newest.note), settings.timestamps)
      if (!(await checkpoints.stamp(newest, token, genTime))) return
      await entries.publish(`stamp ${log} ${newest.size}`, { kind: 'stamp', size: newest.size, token })
      await checkpoints.prune(log, newest.size)
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error
      this.pausedUntil = now + PAUSE_MS
      this.use.logger.warn('A checkpoint of the log has no time stamp yet: the authority gives none', { error })
    }
  }

  /** Whether enough witnesses have cosigned. A stamped note stays as it is, so for an hour the stamp waits for them. */
  private isCosigned(note: string): boolean {
    const { witnesses } = this.use.settings
    return witnesses === undefined || policyVerdict(note, witnesses).quorum
  }
}

const isDue = (size: number, last: { readonly size: number; readonly stampedAt: number }, now: number): boolean =>
  size > last.size + ITS_OWN_ENTRY && now - last.stampedAt >= HOUR_MS
