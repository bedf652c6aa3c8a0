import { RegistryError } from '@signed-registry/verifier'
import type { Injected } from '../kernel/service.js'
import { CheckpointStore, ProveEntry, type PublishedCheckpoint } from '../log/index.js'
import { VerifyRecords } from '../signatures/index.js'

const HOUR_MS = 60 * 60_000

/** Tells when others have seen a signature with its evidence by a stamped checkpoint of the log, whose entry has their hashes. */
export class SeenInLog {
  static readonly inject = { proving: ProveEntry, checkpoints: CheckpointStore, records: VerifyRecords }

  constructor(private readonly use: Injected<typeof SeenInLog.inject>) {}

  /** Milliseconds; `undefined` where no checkpoint with a time stamp that is good now shows it. */
  async at(signId: number): Promise<number | undefined> {
    const found = await this.use.proving.of('signature', `${signId}`)
    if (found.state !== 'logged') return undefined
    const { checkpoint } = found
    return this.stampedAt(checkpoint) ?? this.later(checkpoint)
  }

  /** By the first checkpoint with a good time stamp after one without: trees of a log hold all that earlier ones held. */
  private async later({ log, stampedAt }: PublishedCheckpoint): Promise<number | undefined> {
    const { checkpoints } = this.use
    const newest = await checkpoints.newestStamped(log)
    let seenAt = newest && this.stampedAt(newest)
    if (stampedAt === undefined || newest?.stampedAt === undefined || seenAt === undefined) return undefined
    let [before, after] = [stampedAt, newest.stampedAt]
    while (after - before > HOUR_MS) {
      const middle = before + Math.floor((after - before) / 2)
      const one = await checkpoints.stampedFrom(log, middle)
      const good = one && this.stampedAt(one)
      if (good === undefined) before = Math.max(middle, one?.stampedAt ?? middle)
      else [after, seenAt] = [middle, good]
    }
    return seenAt
  }

  private stampedAt({ stamp, note }: PublishedCheckpoint): number | undefined {
    const found = stamp && this.use.records.verifyStamp(stamp, Buffer.from(note))
    return found === undefined || found instanceof RegistryError ? undefined : found.genTime
  }
}

/** Whether a refusal is for an authority that may have lost its key, so that an older sight of what it has stamped helps. */
export const isOfLostKey = (error: unknown): error is RegistryError =>
  error instanceof RegistryError && error.details?.reason === 'authorityKeyCompromised'
