import { randomBytes } from 'node:crypto'
import { EMPTY_ROOT } from '@signed-registry/verifier/log'
import { Database } from '../database/database.js'
import { insertOrLose } from '../database/insert-or-lose.js'
import type { Stored } from '../database/table.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { Site } from '../kernel/site.js'
import { HighWaterMark } from './high-water-mark.js'
import { LogSettings } from './log-settings.js'
import { logsTable } from './log-tables.js'

/** A log of this registry, as far as it is integrated. */
export type Log = Stored<typeof logsTable>

const NAME_BYTES = 8

/** Keeps what the registry's logs are called, and how far they are. */
export class LogStore {
  static readonly inject = { database: Database, settings: LogSettings, marks: HighWaterMark, site: Site, clock: Clock }

  constructor(private readonly use: Injected<typeof LogStore.inject>) {}

  /** The log that grows; `undefined` before the first start of the registry. */
  async current(): Promise<Log | undefined> {
    return (await this.all()).at(-1)
  }

  /** Every log, the oldest first. */
  async all(): Promise<Log[]> {
    const rows = await this.use.database.rows(
      `select ${logsTable.columns.join(', ')} from registry_logs order by log`,
      [],
    )
    return rows.map((row) => logsTable.read(row))
  }

  /** The log of this number. */
  async at(number: number): Promise<Log | undefined> {
    return (await this.all()).find(({ log }) => log === number)
  }

  /** The log with this name in its addresses. */
  async named(name: string): Promise<Log | undefined> {
    return (await this.all()).find((log) => log.name === name)
  }

  /** Which of these names no log of this database has. */
  async unknown(names: readonly string[]): Promise<string[]> {
    const known = new Set((await this.all()).map(({ name }) => name))
    return names.filter((name) => !known.has(name))
  }

  /** The log that grows; begins it at the first start. Its names are random, or configured, and stay as they are. */
  async begin(): Promise<Log> {
    const known = await this.current()
    if (known !== undefined) return known
    const { marks } = this.use
    const { origin } = this.use.settings
    // Where it was signed before this database, the configured origin has a tree.
    const isTaken = marks.origins().some((one) => one === undefined || (origin !== undefined && isBelow(one, origin)))
    const configured = !isTaken && origin !== undefined && { origin }
    await this.add({ log: 0, ...this.successor(), ...configured, size: 0, root: EMPTY_ROOT })
    const begun = await this.current()
    if (begun === undefined) throw new Error('A log that has just begun is missing')
    return begun
  }

  /** A name of its own for the log that succeeds all others: one origin never has two trees. */
  successor(): Pick<Log, 'name' | 'origin'> {
    const name = newLogName()
    const { origin } = this.use.settings
    return { name, origin: origin === undefined ? this.originOf(name) : `${origin}/${name}` }
  }

  /** Adds a log, or one that is known to have ended; false where another host has begun it. */
  async add(begun: Pick<Log, 'log' | 'name' | 'origin' | 'size' | 'root'>, endedAt?: number): Promise<boolean> {
    const row = logsTable.row({
      ...begun,
      ...{ verifierKey: undefined, nextKey: undefined, publishedSize: 0 },
      ...{ startedAt: this.use.clock.now(), endedAt, halted: undefined, holder: '', heldUntil: 0 },
    })
    return insertOrLose(this.logs().insert(row))
  }

  /** Whether a log of this name would be a second tree of a name that this registry has, or is configured to have. */
  async isOwn(origin: string): Promise<boolean> {
    const names = [...(await this.all()).map((log) => log.origin), this.use.settings.origin]
    return names.some((name) => name !== undefined && isBelow(origin, name))
  }

  private originOf(name: string): string {
    return `${hostOf(this.use.site.baseUrl)}/log/${name}`
  }

  /** Changes a log that has not ended, is still as far as when it was read, and is so otherwise; answers whether it was. */
  async moveOn(before: Log, after: Partial<Log>, otherwise: Partial<Log> = {}): Promise<boolean> {
    const { log, size, root, publishedSize } = before
    const changed = await this.logs()
      .where(logsTable.row({ log, size, root, publishedSize, ...otherwise }))
      .whereNull('ended_at')
      .update(logsTable.row(after))
    return Number(changed) === 1
  }

  /** Notes the size of a checkpoint, in the transaction that stores it; false where the log has ended, is halted or has a larger one. */
  async publish({ log, size }: Pick<Log, 'log' | 'size'>): Promise<boolean> {
    const changed = await this.logs()
      .where(logsTable.row({ log }))
      .where('published_size', '<', size)
      .whereNull('ended_at')
      .whereNull('halted')
      .update(logsTable.row({ publishedSize: size }))
    return Number(changed) === 1
  }

  /** Keeps other hosts from changing a log until the transaction ends. */
  async lock(log: number): Promise<void> {
    await this.logs().where(logsTable.row({ log })).forUpdate().first('log')
  }

  /** Pins the public key that checkpoints are signed by, once. */
  async pinKey(log: number, verifierKey: string): Promise<void> {
    await this.logs().where(logsTable.row({ log })).whereNull('verifier_key').update(logsTable.row({ verifierKey }))
  }

  /**
   * Notes the public key that is to sign the next checkpoints; hosts that have the former one alone sign nothing more. False
   * where another key was announced, or put in place, since the log was read.
   */
  async announceKey({ log, verifierKey, nextKey }: Log, announced: string): Promise<boolean> {
    const changed = await this.logs()
      .where(logsTable.row({ log, verifierKey, nextKey }))
      .whereNull('ended_at')
      .update(logsTable.row({ nextKey: announced }))
    return Number(changed) === 1
  }

  /** Keeps every host from signing a log until another log succeeds it; not where the log has grown since it was read. */
  async halt({ log, size }: Pick<Log, 'log' | 'size'>, halted: NonNullable<Log['halted']>): Promise<void> {
    await this.logs().where(logsTable.row({ log, size })).whereNull('halted').update(logsTable.row({ halted }))
  }

  private logs() {
    return this.use.database.query(logsTable.name)
  }
}

/** Whether an origin is another one, or continues it as that of a later log does. */
const isBelow = (origin: string, other: string): boolean => origin === other || origin.startsWith(`${other}/`)

const newLogName = (): string => randomBytes(NAME_BYTES).toString('hex')

/** An address without its scheme, as C2SP tlog-tiles recommends for origins; names in other letters become ASCII. */
export function hostOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`.replace(/\/+$/, '').replaceAll('+', '_')
}
