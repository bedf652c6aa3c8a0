import type { Knex } from 'knex'
import type { Logger } from '../kernel/logger.js'
import type { Tracer } from '../kernel/tracer.js'
import { openToRead } from './open.js'
import { catchUp, now, type Primary, prove } from './replica-checks.js'

/** How often replica and primary answered what either may. */
export interface ReplicaFigures {
  readonly replica: number
  readonly primary: number
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
  private said: 'replica' | 'primary' | undefined

  constructor(
    url: string,
    private readonly logger: Logger,
  ) {
    this.knex = openToRead(url, logger, MAX_ANSWER_MS)
  }

  /** Has its statements traced. */
  traceBy(tracer: Tracer): void {
    tracer.statements(this.knex)
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
      if (this.said !== 'replica') this.logger.info('long reads go to the replica')
      this.said = 'replica'
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
    this.said = 'primary'
    this.logger.warn('the replica is not read: long reads go to the primary', { error })
  }
}
