import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import { IS_NODE } from './causal-reader.js'
import { type Row, rowsOf } from './table.js'

/** What is asked of the primary. */
export interface Primary {
  readonly query: Knex
  rows(sql: string, bindings: readonly Knex.Value[]): Promise<Row[]>
}

/** A moment of the primary. */
export interface Moment {
  /** The last transaction of each domain in its binary log, such as `0-1-270`: domain, the server that made it, number. */
  readonly position: string
  readonly server: string
}

const CHECKS = 'registry_replica_checks'
const MAX_BEHIND_MS = 50
/** The last transaction in the primary's binary log; what is acknowledged, or seen by a reader, is in it. */
const MOMENT = `select @@global.gtid_binlog_pos as position,
  concat_ws(' ', @@global.server_id, @@global.hostname, @@global.port) as server`
/** Waits; then what was applied last, and which tables or errors are left out of what is applied. */
const CATCH_UP = `select master_gtid_wait(?, ?) as behind, @@global.gtid_slave_pos as applied,
  concat(@@global.replicate_do_table, @@global.replicate_ignore_table, @@global.replicate_wild_do_table,
    @@global.replicate_wild_ignore_table, replace(@@global.slave_skip_errors, 'OFF', '')) as filters`
const RUNS = "show global status where variable_name in ('Slaves_running', 'Slave_running')"
/** Seconds of the primary's clock, which marks begin with: no check takes nearly as long, so a host that ended left what is older. */
const LEFT_AFTER = 3600

/** How far the primary is. */
export async function now(primary: Primary): Promise<Moment> {
  const [row] = await primary.rows(MOMENT, [])
  const position = String(row?.position ?? '')
  if (position === '') throw new Error('The primary has no binary log')
  return { position, server: String(row?.server) }
}

/** Resolves when a replica has applied everything until a moment of the primary, and nothing of anybody else's; else rejects, within 50 ms. */
export async function catchUp(replica: Knex, { position }: Moment): Promise<void> {
  const [answer] = rowsOf('mysql', await replica.raw(CATCH_UP, [position, MAX_BEHIND_MS / 1000]))
  if (String(answer?.filters ?? '') !== '')
    throw new Error('It leaves out tables or errors (replicate_…_table, slave_skip_errors)')
  if (String(answer?.behind) !== '0') throw new Error(await whyBehind(replica))
  // A server that was promoted elsewhere goes on from the same numbers: higher ones of its own are no proof.
  const applied = makersIn(String(answer?.applied))
  for (const [domain, server] of makersIn(position))
    if (applied.get(domain) !== server) throw new Error('It follows another primary')
}

async function whyBehind(replica: Knex): Promise<string> {
  const rows = rowsOf('mysql', await replica.raw(RUNS))
  const runs = new Map(rows.map((row) => [row.Variable_name, row.Value]))
  if (runs.get('Slaves_running') === '0') return 'It applies nothing: its replication is stopped, or it is no replica'
  const isConnected = runs.get('Slave_running') === 'ON'
  return `It is more than ${MAX_BEHIND_MS} ms behind${isConnected ? '' : ', or has no connection to its primary'}`
}

/** Which server made the last transaction of each domain. */
const makersIn = (position: string): ReadonlyMap<string, string> =>
  new Map(
    position.split(',').map((transaction) => {
      const [domain = '', server = ''] = transaction.trim().split('-')
      return [domain, server]
    }),
  )

/**
 * Looks for a mark of its own there: another database may have the same numbers of transactions. Nodes of a Galera
 * cluster give such numbers each by itself, so that they say nothing.
 */
export async function prove(primary: Primary, replica: Knex): Promise<void> {
  if ((await primary.rows(IS_NODE, [])).length > 0) throw new Error('The primary is a node of a Galera cluster')
  const [row] = await primary.rows('select unix_timestamp() as seconds', [])
  const seconds = Number(row?.seconds)
  const mark = `${inHex(seconds)}${randomBytes(4).toString('hex')}`
  await primary.query(CHECKS).insert({ mark })
  try {
    await catchUp(replica, await now(primary))
    const found: unknown = await replica(CHECKS).where({ mark }).first('mark')
    if (found === undefined) throw new Error('It is the replica of another database')
  } finally {
    await primary
      .query(CHECKS)
      .where({ mark })
      .orWhere('mark', '<', inHex(seconds - LEFT_AFTER))
      .delete()
  }
}

const inHex = (seconds: number): string => seconds.toString(16).padStart(8, '0')
