import type { Injected } from '../kernel/service.js'
import { CheckpointStore, type PublishedCheckpoint } from './checkpoint-store.js'
import { HighWaterMark } from './high-water-mark.js'
import { type Log, LogStore } from './log-store.js'

/** The checkpoint that is told to the public: never an older one than was told before, as far as this host knows. */
export class ToldCheckpoint {
  static readonly inject = { logs: LogStore, checkpoints: CheckpointStore, marks: HighWaterMark }

  constructor(private readonly use: Injected<typeof ToldCheckpoint.inject>) {}

  /** The newest of a log; `withheld` where the database is known to be older than what was signed. */
  async of({ log: number, name }: Pick<Log, 'log' | 'name'>): Promise<PublishedCheckpoint | 'none' | 'withheld'> {
    const kept = this.use.marks.kept(name)
    // After the marks, which another process may raise for a tree that it has just committed.
    const log = await this.use.logs.at(number)
    const newest = await this.use.checkpoints.newest(number)
    if (log === undefined || newest === undefined) return 'none'
    if (log.endedAt !== undefined) return newest
    const isOlder =
      log.halted !== undefined ||
      kept === undefined ||
      (kept.mark?.size ?? 0) > log.size ||
      (await this.use.logs.unknown(kept.names)).length > 0
    return isOlder ? 'withheld' : newest
  }
}
