import { Database } from '../database/database.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { logAddress, Site } from '../kernel/site.js'
import { CheckpointStore } from './checkpoint-store.js'
import { ADVICE, type Halt } from './halt.js'
import { LogSettings } from './log-settings.js'
import { type Log, LogStore } from './log-store.js'
import { PublishCheckpoint } from './publish-checkpoint.js'
import { type WitnessState, WitnessStates } from './witness-states.js'

/** A checkpoint or a stamp: the tree size that it is over, and when it was made, milliseconds. */
export interface LogMoment {
  readonly size: number
  readonly at: number
}

/** The numbers of a log, for monitoring. */
export interface LogFigures {
  /** Entries in its tree. */
  readonly size: number
  /** Entries that are in no tree yet. */
  readonly pending: number
  readonly checkpoint: LogMoment | undefined
  readonly stamp: LogMoment | undefined
}

/** A witness of a log: the size of the last tree that it is known to have cosigned, and why it cosigned none when it failed last. */
export type WitnessReport = Pick<WitnessState, 'name' | 'size' | 'cosignedAt' | 'failedAt' | 'failure'>

/** How the log of a registry is getting on. */
export interface LogReport {
  readonly isOn: boolean
  /** Entries that are in no tree yet. */
  readonly pending: number
  /** The log that grows; `undefined` before the first start with a log. */
  readonly log: Pick<Log, 'name' | 'origin' | 'verifierKey' | 'size' | 'startedAt'> | undefined
  /** Prefix of its checkpoint and tiles. */
  readonly address: string | undefined
  readonly checkpoint: LogMoment | undefined
  readonly stamp: LogMoment | undefined
  /** Those that were asked to cosign it, and what came of it. */
  readonly witnesses: readonly WitnessReport[]
  /** Why this host would sign no checkpoint, and what to do about it. */
  readonly halted: { readonly reason: Halt; readonly advice: string } | undefined
  /** Origins of the logs that it has succeeded. */
  readonly earlier: readonly string[]
}

const WAITS_TOO_LONG_MS = 5 * 60_000

/** Reports on the log, to operators and their monitoring. */
export class LogState {
  static readonly inject = {
    database: Database,
    settings: LogSettings,
    logs: LogStore,
    checkpoints: CheckpointStore,
    publish: PublishCheckpoint,
    witnesses: WitnessStates,
    site: Site,
    clock: Clock,
  }
  /** What was seen to wait, and since when. */
  private readonly waiting = new Map<string, { readonly id: string; readonly seenAt: number }>()

  constructor(private readonly use: Injected<typeof LogState.inject>) {}

  async report(): Promise<LogReport> {
    const { settings, logs, publish, site } = this.use
    const all = await logs.all()
    const log = all.at(-1)
    const { checkpoint, stamp } = await this.newest(log)
    const reason = log && settings.isOn ? await publish.halt(log) : undefined
    return {
      ...{ isOn: settings.isOn, pending: await this.pending(), log: log && named(log), checkpoint, stamp },
      address: log && logAddress(site, log.name),
      witnesses: log === undefined ? [] : [...(await this.use.witnesses.of(log.log)).values()].map(reported),
      halted: reason && { reason, advice: ADVICE[reason] },
      earlier: all.slice(0, -1).map(({ origin }) => origin),
    }
  }

  /** The numbers alone, which cost few reads; `undefined` without a log. */
  async figures(): Promise<LogFigures | undefined> {
    const log = this.use.settings.isOn ? await this.use.logs.current() : undefined
    if (log === undefined) return undefined
    const { checkpoint, stamp } = await this.newest(log)
    return { size: log.size, pending: await this.pending(), checkpoint, stamp }
  }

  /**
   * Whether somebody should have a look: no checkpoint can be signed, or an entry was seen to wait for five minutes, for the tree
   * or for a checkpoint.
   */
  async needsAttention(): Promise<boolean> {
    const { settings, logs, publish, database } = this.use
    if (!settings.isOn) return false
    const [row] = await database.rows('select id from registry_log_pending order by id limit 1', [])
    const log = settings.key && (await logs.current())
    const isUncovered = log !== undefined && log.publishedSize < log.size
    const waits = [
      this.waitsTooLong('entry', row && String(row.id)),
      this.waitsTooLong('checkpoint', isUncovered ? `${log.log} ${log.publishedSize}` : undefined),
    ]
    return waits.includes(true) || (log !== undefined && (await publish.halt(log)) !== undefined)
  }

  /** Whether it was this one that waited for all of five minutes; `undefined` where none waits. */
  private waitsTooLong(what: string, id: string | undefined): boolean {
    const now = this.use.clock.now()
    const before = this.waiting.get(what)
    if (id === undefined) this.waiting.delete(what)
    else if (before?.id !== id) this.waiting.set(what, { id, seenAt: now })
    else return now - before.seenAt > WAITS_TOO_LONG_MS
    return false
  }

  private async pending(): Promise<number> {
    const [row] = await this.use.database.rows('select count(*) as n from registry_log_pending', [])
    return Number(row?.n ?? 0)
  }

  private async newest(log: Log | undefined): Promise<Pick<LogReport, 'checkpoint' | 'stamp'>> {
    const { checkpoints } = this.use
    const newest = log && (await checkpoints.newest(log.log))
    const stamped = log && (await checkpoints.newestStamped(log.log))
    return {
      checkpoint: newest && { size: newest.size, at: newest.signedAt },
      stamp: stamped?.stampedAt === undefined ? undefined : { size: stamped.size, at: stamped.stampedAt },
    }
  }
}

const named = ({ name, origin, verifierKey, size, startedAt }: Log): NonNullable<LogReport['log']> => ({
  ...{ name, origin, verifierKey, size, startedAt },
})

const reported = ({ name, size, cosignedAt, failedAt, failure }: WitnessState): WitnessReport => ({
  ...{ name, size, cosignedAt, failedAt, failure },
})
