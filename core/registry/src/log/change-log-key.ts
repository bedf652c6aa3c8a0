import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { signNote, verifierKey } from '@signed-registry/verifier'
import { checkpointText } from '@signed-registry/verifier/log'
import { Database } from '../database/database.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { CheckpointStore } from './checkpoint-store.js'
import { HighWaterMark } from './high-water-mark.js'
import { IntegrateEntries } from './integrate-entries.js'
import { KeyChangeStore } from './key-change-store.js'
import { LogEntries } from './log-entries.js'
import { LogSettings } from './log-settings.js'
import { type Log, LogStore } from './log-store.js'
import { PublishCheckpoint } from './publish-checkpoint.js'

/** A log whose checkpoints another key signs from now on. */
export interface ChangedLogKey {
  readonly origin: string
  readonly formerKey: string
  readonly verifierKey: string
  /** Size of the checkpoint that both keys signed. */
  readonly size: number
}

const ANOTHER_CHANGE = 'Another command changes the key of the log just now: see `admin log`'

/**
 * Changes the key of the log: the next key is announced, which stops hosts that have the former one alone, and logged; the
 * first checkpoint that covers that entry is signed by both. What was interrupted goes on when it is run again.
 */
export class ChangeLogKey {
  static readonly inject = {
    database: Database,
    settings: LogSettings,
    logs: LogStore,
    entries: LogEntries,
    integrate: IntegrateEntries,
    publish: PublishCheckpoint,
    checkpoints: CheckpointStore,
    changes: KeyChangeStore,
    marks: HighWaterMark,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof ChangeLogKey.inject>) {}

  /** `next` is an Ed25519 private key. Rejects with a `TypeError` where the former key cannot sign the log. */
  async run(next: KeyObject): Promise<ChangedLogKey> {
    const { settings, publish } = this.use
    const log = await this.current()
    const halt = await publish.halt(log)
    const former = settings.key
    if (former === undefined || (halt !== undefined && halt !== 'keyChanges'))
      throw new TypeError(
        `The key of the log cannot be changed: no checkpoint can be signed by the present one (${halt})`,
      )
    const formerKey = verifierKey(log.origin, createPublicKey(former))
    if (log.verifierKey !== formerKey)
      throw new TypeError('The key of the log cannot be changed: the log was never signed by the present one')
    const nextKey = verifierKey(log.origin, createPublicKey(next))
    if (nextKey === formerKey) throw new TypeError('The next key is the present one')
    const ref = `logKey ${createHash('sha256').update(nextKey).digest('hex')}`
    if (log.nextKey !== nextKey) {
      if ((await this.use.entries.find('public', ref)) !== undefined)
        throw new TypeError('The next key was announced before: make another one')
      await this.announce(log, nextKey, ref)
    }
    for (;;) {
      const moved = await this.integrated(ref)
      if (moved.verifierKey !== formerKey || moved.nextKey !== nextKey) throw new TypeError(ANOTHER_CHANGE)
      if (moved.halted !== undefined || (await publish.treeHalt(moved)) !== undefined)
        throw new TypeError('The tree of the log is not as it was signed')
      if (await this.signByBoth(moved, { former, next, nextKey }))
        return { origin: log.origin, formerKey, verifierKey: nextKey, size: moved.size }
    }
  }

  private async announce(log: Log, nextKey: string, ref: string): Promise<void> {
    const { database, logs, entries } = this.use
    await database.transaction(async () => {
      if (!(await logs.announceKey(log, nextKey))) throw new TypeError(ANOTHER_CHANGE)
      await entries.publish(ref, { kind: 'logKey', verifierKey: nextKey })
    })
  }

  /** The log once its tree has the entry about the key. */
  private async integrated(ref: string): Promise<Log> {
    for (;;) {
      const log = await this.current()
      if (await this.isIn(log, ref)) return log
      // The turn stays with the host that has it: of two that integrate, one does.
      const moved = await this.use.integrate.run(log, { holder: log.holder, heldUntil: log.heldUntil })
      if (moved === log && !(await this.isIn(await this.current(), ref)))
        throw new TypeError('Another log has begun just now: try again')
    }
  }

  private async isIn({ log }: Log, ref: string): Promise<boolean> {
    return (await this.use.entries.find('public', ref))?.log === log
  }

  /** False where other hosts have moved the log on meanwhile. */
  private async signByBoth(
    log: Log,
    { former, next, nextKey }: { readonly former: KeyObject; readonly next: KeyObject; readonly nextKey: string },
  ): Promise<boolean> {
    const { database, logs, marks, checkpoints, clock } = this.use
    const text = checkpointText(log)
    await marks.raise(log.name, text)
    const byNext = signNote(text, log.origin, next).slice(text.length + 1)
    const note = `${signNote(text, log.origin, former)}${byNext}`
    const { log: number, size, verifierKey: formerKey = '' } = log
    const announced = { verifierKey: formerKey, nextKey, halted: undefined }
    const signedAt = clock.now()
    return database.transaction(async () => {
      const after = { verifierKey: nextKey, nextKey: undefined, publishedSize: size }
      if (!(await logs.moveOn(log, after, announced))) return false
      await checkpoints.add({ log: number, size, note, signedAt })
      await this.use.changes.add({ log: number, size, formerKey, note, changedAt: signedAt })
      return true
    })
  }

  private async current(): Promise<Log> {
    const log = await this.use.logs.current()
    if (log === undefined) throw new TypeError('This registry has no log yet')
    return log
  }
}
