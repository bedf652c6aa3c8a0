import { Database } from '../database/database.js'
import { Clock } from '../kernel/clock.js'
import { RegistryError } from '../kernel/error.js'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { TimeStampBytes } from '../signatures/index.js'
import { CheckpointStore } from './checkpoint-store.js'
import { hasQuorum } from './has-quorum.js'
import { LogEntries } from './log-entries.js'
import { LogSettings } from './log-settings.js'
import type { Log } from './log-store.js'

const HOUR_MS = 60 * 60_000
/** After a refusal of the authority. */
const PAUSE_MS = 5 * 60_000
/** Bytes that an entry of the log has room for, in base64. */
const LONGEST_TOKEN = 40_000
/** The entry about the stamp itself needs no other stamp. */
const ITS_OWN_ENTRY = 1

/** Gets a time stamp over a checkpoint every hour in which something was logged: it proves when. */
export class StampCheckpoint {
  static readonly inject = {
    checkpoints: CheckpointStore,
    database: Database,
    entries: LogEntries,
    stamps: TimeStampBytes,
    settings: LogSettings,
    clock: Clock,
    logger: Logger,
  }
  /** By the clock of the process, which does not jump. */
  private pausedUntil = 0
  private thinnedAt = 0

  constructor(private readonly use: Injected<typeof StampCheckpoint.inject>) {}

  /** Stamps the newest checkpoint of a log where an hour has passed since the last stamp. */
  async run({ log, startedAt }: Pick<Log, 'log' | 'startedAt'>): Promise<void> {
    const { checkpoints, entries, clock, settings, stamps } = this.use
    const now = clock.now()
    const newest = await checkpoints.newest(log)
    if (newest === undefined || newest.stampedAt !== undefined || performance.now() < this.pausedUntil) return
    await this.thin(log, now)
    const last = await checkpoints.newestStamped(log)
    if (last?.stampedAt !== undefined && !isDue(newest.size, { ...last, stampedAt: last.stampedAt }, now)) return
    // A stamped note stays as it is, so for an hour the stamp waits for witnesses.
    const waitsUntil = (last?.stampedAt ?? startedAt - HOUR_MS) + 2 * HOUR_MS
    if (now < waitsUntil && !hasQuorum(newest.note, settings.witnesses)) return
    try {
      const { size } = newest
      const { token, genTime } = await stamps.stamp(Buffer.from(newest.note), settings.timestamps)
      if (token.length > LONGEST_TOKEN) return this.pause({ bytes: token.length })
      await this.use.database.transaction(async () => {
        if (!(await checkpoints.stamp(newest, token, genTime))) return
        await entries.publish(`stamp ${log} ${size}`, { kind: 'stamp', size, token })
        await checkpoints.prune(log, size)
      })
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error
      this.pause({ error })
    }
  }

  private pause(why: object): void {
    this.pausedUntil = performance.now() + PAUSE_MS
    this.use.logger.warn('A checkpoint of the log has no time stamp yet: the authority gives none that can be used', {
      ...why,
    })
  }

  /** Hourly, also where no authority ever stamps. */
  private async thin(log: number, now: number): Promise<void> {
    if (performance.now() - this.thinnedAt < HOUR_MS) return
    this.thinnedAt = performance.now()
    await this.use.checkpoints.thin(log, now - HOUR_MS)
  }
}

const isDue = (size: number, last: { readonly size: number; readonly stampedAt: number }, now: number): boolean =>
  size > last.size + ITS_OWN_ENTRY && now - last.stampedAt >= HOUR_MS
