import { createPublicKey } from 'node:crypto'
import { signNote, verifierKey } from '@signed-registry/verifier'
import { checkpointText, LogTileError } from '@signed-registry/verifier/log'
import { Clock } from '../kernel/clock.js'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { CheckpointStore } from './checkpoint-store.js'
import { HighWaterMark } from './high-water-mark.js'
import { LogSettings } from './log-settings.js'
import { type Log, LogStore } from './log-store.js'
import { LogTree } from './log-tree.js'

/**
 * Why checkpoints are not signed: there is no key; the log has another key, or is about to get one; the database is older than
 * a checkpoint that was signed, or holds another tree; a tile is lost or was changed; the log has ended.
 */
export type Halt = 'noKey' | 'otherKey' | 'keyChanges' | 'databaseOlder' | 'otherTree' | 'treeBroken' | 'ended'

/** What the operator does about it. */
export const ADVICE: Readonly<Record<Halt, string>> = {
  noKey: 'give the registry a key for its log',
  otherKey:
    'start this host with the key of the log (after `admin log rotate-key`, the new one); where that key is lost, begin a new log with `admin log resume`',
  keyChanges: 'let `admin log rotate-key` finish, or run it again; then start this host with the new key',
  databaseOlder:
    'the database was restored to an earlier state: restore a later one, or begin a new log with `admin log resume`',
  otherTree:
    'the database is not the one whose log was signed: restore that one, or begin a new log with `admin log resume`',
  treeBroken:
    'a tile of the log is lost or was changed: restore the database, or begin a new log with `admin log resume`',
  ended: 'another log has succeeded this one',
}

/** Signs and publishes checkpoints of what the database holds durably. */
export class PublishCheckpoint {
  static readonly inject = {
    logs: LogStore,
    tree: LogTree,
    marks: HighWaterMark,
    checkpoints: CheckpointStore,
    settings: LogSettings,
    clock: Clock,
    logger: Logger,
  }
  private told: Halt | undefined

  constructor(private readonly use: Injected<typeof PublishCheckpoint.inject>) {}

  /** Publishes a checkpoint of a log unless its newest one covers everything. */
  async run({ log: number }: Pick<Log, 'log'>): Promise<void> {
    const { settings, marks, checkpoints, clock } = this.use
    // Read again: an administrator may have announced another key since the entries were integrated.
    const log = await this.pinned(number)
    if (log === undefined) return
    const halt = await this.halt(log)
    this.tell(halt, log)
    if (halt !== undefined || settings.key === undefined || log.size === log.publishedSize) return
    const text = checkpointText(log)
    // On disk before anybody sees the signature: after a crash, and after a restore, it is known that it may exist.
    marks.raise(log.name, text)
    const note = signNote(text, log.origin, settings.key)
    await checkpoints.add({ log: log.log, size: log.size, note, signedAt: clock.now() })
    await this.use.logs.moveOn(log, { publishedSize: log.size })
  }

  /** Keeps the mark of a checkpoint that another host has published, so that this host too notices an older database. */
  async follow(log: Log): Promise<void> {
    const newest = await this.use.checkpoints.newest(log.log)
    const mark = this.use.marks.of(log.name)
    if (newest === undefined || (mark !== undefined && mark.size >= newest.size)) return
    const root = await this.use.tree.rootAt(log, newest.size)
    if ((await this.halt(log)) === undefined)
      this.use.marks.raise(log.name, checkpointText({ ...log, size: newest.size, root }))
  }

  /** Why checkpoints of a log cannot be signed now. */
  async halt(log: Log): Promise<Halt | undefined> {
    if (log.endedAt !== undefined) return 'ended'
    const { key } = this.use.settings
    if (key === undefined) return 'noKey'
    const own = verifierKey(log.origin, createPublicKey(key))
    if (log.nextKey !== undefined && (own === log.verifierKey || own === log.nextKey)) return 'keyChanges'
    if (log.verifierKey !== undefined && log.verifierKey !== own) return 'otherKey'
    return this.treeHalt(log)
  }

  /** As `halt`, of the tree alone, by whatever key it is signed. */
  async treeHalt(log: Log): Promise<Halt | undefined> {
    const mark = this.use.marks.of(log.name)
    try {
      if (mark !== undefined && mark.size > log.size) return 'databaseOlder'
      if (mark !== undefined && !equal(mark.root, await this.use.tree.rootAt(log, mark.size))) return 'otherTree'
      return equal(log.root, await this.use.tree.rootAt(log, log.size)) ? undefined : 'treeBroken'
    } catch (error) {
      if (error instanceof LogTileError) return 'treeBroken'
      throw error
    }
  }

  /** The log as it is now. The first key that it gets is its key. */
  private async pinned(number: number): Promise<Log | undefined> {
    const { logs, settings } = this.use
    const log = await logs.at(number)
    if (log === undefined || log.verifierKey !== undefined || settings.key === undefined) return log
    await logs.pinKey(number, verifierKey(log.origin, createPublicKey(settings.key)))
    return logs.at(number)
  }

  private tell(halt: Halt | undefined, { origin }: Log): void {
    const { logger } = this.use
    if (halt !== undefined && halt !== this.told && halt !== 'noKey')
      logger.error('Checkpoints of the log are not signed', { log: origin, reason: halt, advice: ADVICE[halt] })
    else if (halt === undefined && this.told !== undefined && this.told !== 'noKey')
      logger.info('Checkpoints of the log are signed again', { log: origin })
    this.told = halt
  }
}

const equal = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0
