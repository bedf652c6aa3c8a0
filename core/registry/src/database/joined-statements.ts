import { isUniqueViolation } from './dialect.js'

/** A statement as Knex hands it to its driver. */
export interface Query {
  readonly method?: string
  readonly sql?: string
  readonly bindings?: readonly unknown[]
  /** Nobody needs its answer: it may wait for what follows it in its transaction. */
  readonly waits?: boolean
  response?: unknown
}
type Send = (query: Query) => Promise<object>

/** As Knex sends them. */
const BEGIN = 'BEGIN;'
const COMMIT = 'COMMIT;'
const ROLLBACK = 'ROLLBACK'
/** Of statements that wait; a server takes a million at least. */
const MOST_CHARACTERS = 262_144
/** What a number or a digest takes, more or less. */
const BINDING_CHARACTERS = 16
/** Statements of the transaction on a connection that go with the next one. */
const waiting = new WeakMap<object, readonly Query[]>()
/** At nodes of a Galera cluster. */
const apart = new WeakSet<object>()
/** Of those that went before, of the same transaction. */
const failures = new WeakMap<object, unknown>()

/**
 * Has each statement of a connection go by itself. At a node of a Galera cluster (MariaDB 10.11) a packet of several hides
 * that another node's transaction ended this one: a commit in it is answered, and nothing is kept.
 */
export function sendApart(connection: object): void {
  apart.add(connection)
}

/**
 * Sends a statement over a connection that takes several at a time: a transaction begins with its first statement, and what
 * waits goes together, since each packet costs host and server more than a small statement does. The server ends with the
 * first that fails. `isAlone` is true for a statement that cannot go with others; it is sent after those that wait.
 */
export async function sendJoined(connection: object, query: Query, send: Send, isAlone: boolean): Promise<object> {
  const { sql } = query
  if (hasSeveral(sql)) throw new TypeError('Statements are sent one at a time')
  if (apart.has(connection)) return send(query)
  const before = waiting.get(connection) ?? []
  const isToBegin = before[0]?.sql === BEGIN
  if (sql === BEGIN) {
    failures.delete(connection)
    waiting.set(connection, [query])
    return query
  }
  if (query.waits && !isAlone) {
    const isMuch = size(before) + size([query]) > MOST_CHARACTERS
    waiting.set(connection, isMuch ? [query] : [...before, query])
    if (isMuch) await sendWaiting(connection, before, send)
    return query
  }
  waiting.delete(connection)
  if (sql === COMMIT) return commit(connection, before, query, send)
  // What was never sent need not be taken back.
  if (sql === ROLLBACK) return isToBegin ? query : send(query)
  if (isToBegin && before.length === 1 && !isAlone) return together([...before, query], query, send)
  await sendWaiting(connection, before, send)
  return send(query)
}

/** Whoever comes next is told of a failure, and must not take it for a key of its own that is known; nor is it committed. */
async function sendWaiting(connection: object, before: readonly Query[], send: Send): Promise<void> {
  if (before.length === 0) return
  try {
    await together(before, {}, send)
  } catch (error) {
    const isKnown = isUniqueViolation(error)
    const failure = isKnown ? new Error('A row that was to be kept has a known key', { cause: error }) : error
    failures.set(connection, failure)
    throw failure
  }
}

async function commit(connection: object, before: readonly Query[], query: Query, send: Send): Promise<object> {
  if (before.length === 1 && before[0]?.sql === BEGIN) return query
  try {
    if (failures.has(connection)) throw failures.get(connection)
    return await together([...before, query], query, send)
  } catch (error) {
    // The server does not come to the commit when a statement before it fails: the connection is still in the transaction.
    await send({ sql: ROLLBACK }).catch(() => undefined)
    throw error
  }
}

/** Sends statements in one packet, and answers the last one. */
async function together(statements: readonly Query[], last: Query, send: Send): Promise<object> {
  if (statements.length === 1) return send(statements[0] ?? last)
  const sql = statements.map((one) => one.sql?.replace(/;$/, '')).join(';\n')
  const all: Query = { ...last, sql, bindings: statements.flatMap(({ bindings = [] }) => bindings) }
  await send(all)
  last.response = lastOf(all.response)
  return last
}

/** Of the answers to several statements the last one. */
function lastOf(response: unknown): unknown[] {
  const [rows, fields]: unknown[] = Array.isArray(response) ? response : []
  return [Array.isArray(rows) ? rows.at(-1) : undefined, Array.isArray(fields) ? fields.at(-1) : undefined]
}

/** True where there is more after the end of a statement; values are not in it yet. The connection would take it. */
const hasSeveral = (sql = ''): boolean => sql.slice(0, -1).includes(';')

/** Characters, more or less. */
const size = (queries: readonly Query[]): number =>
  queries.reduce((sum, { sql = '', bindings = [] }) => {
    const texts = bindings.map((value) => (typeof value === 'string' ? value.length : BINDING_CHARACTERS))
    return texts.reduce((all, length) => all + length, sum + sql.length)
  }, 0)
