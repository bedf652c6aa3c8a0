import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { Logger } from '../kernel/logger.js'
import { IS_NODE } from './causal-reader.js'
import { openToRead } from './open.js'
import type { Row } from './table.js'

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

const CHECKS = 'registry_replica_checks'
/** The last transaction in the primary's binary log; what is acknowledged, or seen by a reader, is in it. */
const POSITION = 'select @@global.gtid_binlog_pos as position'
const MAX_BEHIND_MS = 50
/** For the answer whether it is behind, a new connection included. */
const MAX_ANSWER_MS = 1000
/** After a read that the replica could not answer. */
const REST_MS = 1000
const SAID_AGAIN_AFTER_MS = 60_000

/**
 * A replica of MariaDB that is read when it has everything that the primary had when the read began: no answer is older
 * than one of the primary. No clocks are compared; whatever goes wrong, the primary is asked.
 */
export class Replica {
  private readonly knex: Knex
  private readonly count = { replica: 0, primary: 0 }
  private proof: Promise<void> | undefined
  private restsUntil = 0
  private saidAt = Number.NEGATIVE_INFINITY

  constructor(
    url: string,
    private readonly logger: Logger,
  ) {
    this.knex = openToRead(url, logger)
  }

  get figures(): ReplicaFigures {
    return this.count
  }

  close(): Promise<void> {
    return this.knex.destroy()
  }

  /** What `work` selects at the replica; `undefined` where the primary has to be asked. */
  async read<T>(primary: Primary, work: (query: Knex) => Promise<T>): Promise<{ readonly found: T } | undefined> {
    if (performance.now() >= this.restsUntil) {
      try {
        await this.catchUp(primary)
        this.proof ??= this.prove(primary)
        await this.proof
        const found = await work(this.knex)
        this.count.replica += 1
        return { found }
      } catch (error) {
        this.rest(error)
      }
    }
    this.count.primary += 1
    return undefined
  }

  private async catchUp(primary: Primary): Promise<void> {
    const [row] = await primary.rows(POSITION, [])
    const position = String(row?.position ?? '')
    if (position === '') throw new Error('The primary has no binary log')
    const asked = this.rows('select master_gtid_wait(?, ?) as behind', [position, MAX_BEHIND_MS / 1000])
    const [answer] = await inTime(asked)
    if (String(answer?.behind) !== '0') throw new Error(`It is more than ${MAX_BEHIND_MS} ms behind`)
  }

  /**
   * Looks for a mark of its own there: another database may have the same numbers of transactions. Nodes of a Galera
   * cluster give such numbers each by itself, so that they say nothing.
   */
  private async prove(primary: Primary): Promise<void> {
    if ((await primary.rows(IS_NODE, [])).length > 0) throw new Error('The primary is a node of a Galera cluster')
    const mark = randomBytes(8).toString('hex')
    await primary.query(CHECKS).insert({ mark })
    try {
      await this.catchUp(primary)
      const found = await this.rows(`select 1 from ${CHECKS} where mark = ?`, [mark])
      if (found.length === 0) throw new Error('It is the replica of another database')
    } finally {
      await primary.query(CHECKS).where({ mark }).delete()
    }
    this.saidAt = Number.NEGATIVE_INFINITY
    this.logger.info('long reads go to the replica')
  }

  private rows(sql: string, bindings: readonly Knex.Value[]): Promise<Row[]> {
    return this.knex.client.selectRows(sql, bindings)
  }

  private rest(error: unknown): void {
    const now = performance.now()
    this.restsUntil = now + REST_MS
    this.proof = undefined
    if (now < this.saidAt + SAID_AGAIN_AFTER_MS) return
    this.saidAt = now
    this.logger.warn('the replica cannot answer: reads go to the primary', { error })
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It did not answer within ${MAX_ANSWER_MS} ms`)), MAX_ANSWER_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
