import { createPublicKey, type KeyObject } from 'node:crypto'
import { RegistryError, signNote, verifierKey } from '@signed-registry/verifier'
import {
  type Checkpoint,
  checkpointText,
  EMPTY_ROOT,
  LogTileError,
  openCheckpoint,
  type TreeHead,
} from '@signed-registry/verifier/log'
import { Database } from '../database/database.js'
import { Clock } from '../kernel/clock.js'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { type AskedWitnesses, AskWitnesses } from './ask-witnesses.js'
import { CheckpointStore } from './checkpoint-store.js'
import { ADVICE, type Halt, LASTING_HALTS } from './halt.js'
import { HighWaterMark } from './high-water-mark.js'
import { LogSettings } from './log-settings.js'
import { type Log, LogStore } from './log-store.js'
import { type KnownTree, LogTree } from './log-tree.js'
import { treeOf } from './prove-entry.js'
import type { Objection } from './witness-tables.js'

const HALT_BY: Readonly<Record<Objection, Halt>> = { ahead: 'witnessAhead', otherTree: 'witnessDisagrees' }

/** Signs and publishes checkpoints of what the database holds durably. */
export class PublishCheckpoint {
  static readonly inject = {
    database: Database,
    logs: LogStore,
    tree: LogTree,
    marks: HighWaterMark,
    checkpoints: CheckpointStore,
    witnesses: AskWitnesses,
    settings: LogSettings,
    clock: Clock,
    logger: Logger,
  }
  private told: Halt | undefined
  /** Logs of which the witnesses were asked since the start. */
  private readonly asked = new Set<number>()

  constructor(private readonly use: Injected<typeof PublishCheckpoint.inject>) {}

  /** Publishes a checkpoint of a log, or has the newest one cosigned by witnesses that it lacks where it covers everything. */
  async run({ log: number }: Pick<Log, 'log'>): Promise<void> {
    const { settings, database, logs, marks, checkpoints, witnesses, clock } = this.use
    const { key } = settings
    // Read again: an administrator may have announced another key since the entries were integrated.
    const log = await this.pinned(number)
    if (log === undefined || !this.tell(await this.halt(log), log) || key === undefined) return
    const isCovered = log.size === log.publishedSize
    const isNew = !this.asked.has(log.log)
    if (isCovered || isNew) await this.askAgain(log, key, isNew ? 'everybody' : 'lacking')
    if (!this.tell(await this.witnessHalt(log), log) || isCovered) return
    const text = checkpointText(log)
    // On disk before anybody sees the signature: after a crash, and after a restore, it is known that it may exist.
    await marks.raise(log.name, text)
    const note = await witnesses.cosigned({ note: signNote(text, log.origin, key), tree: log })
    if (!this.tell(await this.witnessHalt(log), log)) return
    const published = { log: log.log, size: log.size, note, signedAt: clock.now() }
    await database.transaction(async () => {
      if (await logs.publish(log)) await checkpoints.add(published)
    })
  }

  /**
   * Why this host cannot sign a log. Keeps the mark of what is published first, by whatever host, so that this one too notices
   * an older database from now on; what it notices stops all hosts.
   */
  async look(log: Log): Promise<Halt | undefined> {
    const halt = (await this.follow(log)) ?? (await this.halt(log))
    this.tell(halt, log)
    const { key } = this.use.settings
    if ((halt === 'witnessAhead' || halt === 'witnessDisagrees') && key !== undefined)
      await this.askAgain(log, key, 'objecting')
    const lasting = LASTING_HALTS.find((one) => one === halt)
    if (lasting !== undefined && log.halted === undefined) await this.use.logs.halt(log, lasting)
    return halt
  }

  private async follow({ log, name, verifierKey: key }: Log): Promise<Halt | undefined> {
    const newest = await this.use.checkpoints.newest(log)
    if (newest === undefined || key === undefined) return undefined
    const kept = this.use.marks.kept(name)
    if (kept === undefined) return 'markUnreadable'
    const checkpoint = opened(newest.note, key)
    if (checkpoint === undefined) return 'treeBroken'
    if (checkpoint.size > (kept.mark?.size ?? 0)) await this.use.marks.raise(name, checkpointText(checkpoint))
    return undefined
  }

  /** Why checkpoints of a log cannot be signed now. */
  async halt(log: Log): Promise<Halt | undefined> {
    if (log.endedAt !== undefined) return 'ended'
    if (log.halted !== undefined) return log.halted
    const { key } = this.use.settings
    if (key === undefined) return 'noKey'
    const own = verifierKey(log.origin, createPublicKey(key))
    if (log.nextKey !== undefined && (own === log.verifierKey || own === log.nextKey)) return 'keyChanges'
    if (log.verifierKey !== undefined && log.verifierKey !== own) return 'otherKey'
    return (await this.treeHalt(log)) ?? this.witnessHalt(log)
  }

  /**
   * Asks witnesses about the newest checkpoint: those whose cosignature it lacks, those that object and, first after a start,
   * all. A database that was restored together with the mark beside its key is then noticed before anything is signed.
   */
  private async askAgain(log: Log, key: KeyObject, whom: AskedWitnesses): Promise<void> {
    const { checkpoints, witnesses } = this.use
    const newest = await checkpoints.newest(log.log)
    if (newest !== undefined && (whom !== 'lacking' || newest.stampedAt === undefined)) {
      const note = await witnesses.cosigned({ note: newest.note, tree: treeOf(newest) }, whom)
      if (note !== newest.note && newest.stampedAt === undefined) await checkpoints.cosign(newest, note)
    } else if (newest === undefined && whom !== 'lacking') {
      // Every tree continues the empty one, so that signing it cannot be wrong.
      const tree = { log: log.log, size: 0, root: EMPTY_ROOT }
      const note = signNote(checkpointText({ origin: log.origin, ...tree }), log.origin, key)
      await witnesses.cosigned({ note, tree }, whom)
    }
    if (whom === 'everybody') this.asked.add(log.log)
  }

  private async witnessHalt({ log }: Log): Promise<Halt | undefined> {
    const objection = await this.use.witnesses.objection(log)
    return objection && HALT_BY[objection]
  }

  /** As `halt`, of the tree alone, by whatever key it is signed. */
  async treeHalt({ log: number, name }: Pick<Log, 'log' | 'name'>): Promise<Halt | undefined> {
    // In this order: what is signed or published is in a tree that was committed before, perhaps by another process.
    const kept = this.use.marks.kept(name)
    const newest = await this.use.checkpoints.newest(number)
    const log = await this.use.logs.at(number)
    if (kept === undefined) return 'markUnreadable'
    const missing = await this.missing(kept.names)
    if (missing !== undefined) return missing
    const { mark } = kept
    if (log === undefined || !(await this.isWhole(log, newest && treeOf(newest)))) return 'treeBroken'
    if (mark === undefined) return undefined
    if (mark.size > log.size) return 'databaseOlder'
    return (await this.has(log, mark)) ? undefined : 'otherTree'
  }

  /** What follows from marks of logs that the database lacks: only one under the same name would be a fork, which stops all hosts. */
  private async missing(names: readonly string[]): Promise<Halt | undefined> {
    const { logs, marks } = this.use
    const origins = marks.origins(await logs.unknown(names))
    if (origins.length === 0) return undefined
    for (const origin of origins) if (origin !== undefined && (await logs.isOwn(origin))) return 'databaseOlder'
    return origins.includes(undefined) ? 'markUnreadable' : 'foreignMark'
  }

  /** Whether the tiles, as they are stored, are the tree of the log and of its newest checkpoint, and what grows is there. */
  private async isWhole(log: Log, published: KnownTree | undefined): Promise<boolean> {
    try {
      if (!equal(log.root, await this.use.tree.rootAt(log, log.size))) return false
      await this.use.tree.lastEntries(log)
      return published === undefined || (published.size <= log.size && (await this.has(log, published)))
    } catch (error) {
      if (error instanceof LogTileError) return false
      throw error
    }
  }

  /** Whether a log whose own root is right had this tree when it was as large. */
  private async has(log: Log, { size, root }: TreeHead): Promise<boolean> {
    return equal(root, size === log.size ? log.root : await this.use.tree.rootAt(log, size))
  }

  /** The log as it is now. The first key that it gets is its key. */
  private async pinned(number: number): Promise<Log | undefined> {
    const { logs, settings } = this.use
    const log = await logs.at(number)
    if (log === undefined || log.verifierKey !== undefined || settings.key === undefined) return log
    await logs.pinKey(number, verifierKey(log.origin, createPublicKey(settings.key)))
    return logs.at(number)
  }

  /** Writes the log of the process where the answer changes; whether checkpoints may be signed. */
  private tell(halt: Halt | undefined, { origin }: Log): boolean {
    const { logger } = this.use
    if (halt === 'noKey' && halt !== this.told)
      logger.info('Checkpoints of the log are not signed', { log: origin, reason: halt, advice: ADVICE[halt] })
    else if (halt !== undefined && halt !== this.told)
      logger.error('Checkpoints of the log are not signed', { log: origin, reason: halt, advice: ADVICE[halt] })
    else if (halt === undefined && this.told !== undefined && this.told !== 'noKey')
      logger.info('Checkpoints of the log are signed again', { log: origin })
    this.told = halt
    return halt === undefined
  }
}

/** The checkpoint of a note that the log signed; `undefined` for any other note. */
function opened(note: string, key: string): Checkpoint | undefined {
  try {
    return openCheckpoint(note, key)
  } catch (error) {
    if (error instanceof RegistryError) return undefined
    throw error
  }
}

const equal = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0
