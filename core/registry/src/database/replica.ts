import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { Logger } from '../kernel/logger.js'
import { IS_NODE } from './causal-reader.js'
import { openToRead } from './open.js'
import { type Row, rowsOf } from './table.js'

/** How often replica and primary answered what either may. */
export interface ReplicaFigures {
  readonly replica: number
  readonly primary: number
}

/** What is asked of the primary. */
interface Primary {
  readonly query: Knex
  rows(sql: string, bindings: readonly Knex.Value[]): Promise<Row[]>
}

/** A moment of the primary. */
interface Moment {
  readonly position: string
  readonly server: string
}

/** What we use of Knex's client of a transaction. */
interface TransactionClient {
  acquireConnection(): Promise<{ maxMs: number | undefined }>
}

/** The primary that the server at the other end of a connection follows, and when that was found (monotonic milliseconds). */
interface Proof {
  readonly server: string
  readonly at: number
}

const CHECKS = 'registry_replica_checks'
/** The last transaction in the primary's binary log; what is acknowledged, or seen by a reader, is in it. */
const MOMENT = `select @@global.gtid_binlog_pos as position,
  concat_ws(' ', @@global.server_id, @@global.hostname, @@global.port) as server`
const MAX_BEHIND_MS = 50
/** Of each statement that asks how far it is, and to connect. */
const MAX_ANSWER_MS = 1000
/** Of each statement that reads. */
const MAX_READ_MS = 5000
/** After a read that the replica could not answer. */
const REST_MS = 1000
/** A server may be told to follow another primary, and keep its connections. */
const PROVED_FOR_MS = 60_000
const SAID_AGAIN_AFTER_MS = 60_000

/**
 * A replica of MariaDB that is read when it has everything that the primary had when the read began: no answer is older
 * than one of the primary. No clocks are compared; whatever goes wrong, the primary is asked.
 */
export class Replica {
  private readonly knex: Knex
  private readonly count = { replica: 0, primary: 0 }
  private readonly proofs = new WeakMap<object, Proof>()
  private isUsed = false
  private isTried = false
  private restsUntil = 0
  private saidAt = Number.NEGATIVE_INFINITY

  constructor(
    url: string,
    private readonly logger: Logger,
  ) {
    this.knex = openToRead(url, logger, MAX_ANSWER_MS)
  }

  get figures(): ReplicaFigures {
    return this.count
  }

  close(): Promise<void> {
    this.restsUntil = Number.POSITIVE_INFINITY
    return this.knex.destroy()
  }

  /** What `work` selects at the replica; `undefined` where the primary has to be asked. */
  async read<T>(primary: Primary, work: (query: Knex) => Promise<T>): Promise<{ readonly found: T } | undefined> {
    if (this.isUsed) {
      try {
        const found = await this.caughtUp(primary, work)
        this.count.replica += 1
        return { found }
      } catch (error) {
        this.rest(error)
      }
    } else if (!this.isTried && performance.now() >= this.restsUntil) void this.tryAgain(primary)
    this.count.primary += 1
    return undefined
  }

  /** No read waits for a replica of which nobody knows whether it answers. */
  private async tryAgain(primary: Primary): Promise<void> {
    this.isTried = true
    try {
      await this.caughtUp(primary, async () => undefined)
      this.isUsed = true
      this.saidAt = Number.NEGATIVE_INFINITY
      this.logger.info('long reads go to the replica')
    } catch (error) {
      this.rest(error)
    } finally {
      this.isTried = false
    }
  }

  /** Waits and reads over one connection: the next one may lead to another server of the same address. */
  private async caughtUp<T>(primary: Primary, work: (query: Knex) => Promise<T>): Promise<T> {
    const moment = await now(primary)
    return this.knex.transaction(async (trx) => {
      const client: TransactionClient = trx.client
      const connection = await client.acquireConnection()
      connection.maxMs = MAX_ANSWER_MS
      await catchUp(trx, moment)
      const known = this.proofs.get(connection)
      if (known?.server !== moment.server || performance.now() >= known.at + PROVED_FOR_MS) {
        await prove(primary, trx)
        this.proofs.set(connection, { server: moment.server, at: performance.now() })
      }
      connection.maxMs = MAX_READ_MS
      return work(trx)
    })
  }

  private rest(error: unknown): void {
    const at = performance.now()
    this.isUsed = false
    this.restsUntil = Math.max(this.restsUntil, at + REST_MS)
    if (at < this.saidAt + SAID_AGAIN_AFTER_MS || this.restsUntil === Number.POSITIVE_INFINITY) return
    this.saidAt = at
    this.logger.warn('the replica cannot answer: reads go to the primary', { error })
  }
}

async function now(primary: Primary): Promise<Moment> {
  const [row] = await primary.rows(MOMENT, [])
  const position = String(row?.position ?? '')
  if (position === '') throw new Error('The primary has no binary log')
  return { position, server: String(row?.server) }
}

async function catchUp(replica: Knex, { position }: Moment): Promise<void> {
  const sql = 'select master_gtid_wait(?, ?) as behind'
  const [answer] = rowsOf('mysql', await replica.raw(sql, [position, MAX_BEHIND_MS / 1000]))
  if (String(answer?.behind) !== '0') throw new Error(`It is more than ${MAX_BEHIND_MS} ms behind`)
}

/**
 * Looks for a mark of its own there: another database may have the same numbers of transactions. Nodes of a Galera
 * cluster give such numbers each by itself, so that they say nothing.
 */
async function prove(primary: Primary, replica: Knex): Promise<void> {
  if ((await primary.rows(IS_NODE, [])).length > 0) throw new Error('The primary is a node of a Galera cluster')
  const mark = randomBytes(8).toString('hex')
  await primary.query(CHECKS).insert({ mark })
  try {
    await catchUp(replica, await now(primary))
    const found: unknown = await replica(CHECKS).where({ mark }).first('mark')
    if (found === undefined) throw new Error('It is the replica of another database')
  } finally {
    await primary.query(CHECKS).where({ mark }).delete()
  }
}
