import { type Span, SpanKind, trace } from '@opentelemetry/api'
import type { DatabasePool } from '@signed-registry/core'
import { markFailed, type Spans } from './spans.js'

/** What Knex tells of a statement; savepoints have no id, and no end is told of them. */
interface Statement {
  readonly sql: string
  readonly __knexQueryUid?: string
}

/** Inserts of many rows are long, and say nothing new. */
const MAX_TEXT = 1000
const PARTS = /^\s*(\w+)(?:[\s\S]*?\b(?:from|into|update)\s+[`"]?(\w+))?/i
const INNERMOST = /\([^()]*\)/g
const followed = new WeakSet<object>()

/** A pool, whose statements are spans of the requests that send them: their text, never their values. */
export function tracedPool(pool: DatabasePool, spans: Spans): DatabasePool {
  const { knex } = pool
  // Two registries may share the pool of an application.
  if (followed.has(knex)) return pool
  followed.add(knex)
  const system = String(knex.client.dialect).replace('sqlite3', 'sqlite')
  const underWay = new Map<string, Span>()
  const take = ({ __knexQueryUid: id = '' }: Statement) => {
    const span = underWay.get(id)
    underWay.delete(id)
    return span
  }
  knex.on('query', ({ sql, __knexQueryUid: id }: Statement) => {
    // Polls and other work of nobody's would be traces of one statement each.
    if (id === undefined || trace.getActiveSpan() === undefined) return
    underWay.set(id, spans.begin(...spanOf(sql, system)))
  })
  knex.on('query-response', (_response: unknown, statement: Statement) => take(statement)?.end())
  knex.on('query-error', (error: unknown, statement: Statement) => {
    const span = take(statement)
    if (span === undefined) return
    markFailed(span, error)
    span.end()
  })
  return pool
}

function spanOf(sql: string, system: string) {
  const [, word = 'SQL', table] = PARTS.exec(withoutParentheses(sql)) ?? []
  const operation = word.toUpperCase()
  const attributes = {
    'db.system.name': system,
    'db.operation.name': operation,
    'db.query.text': sql.slice(0, MAX_TEXT),
    ...(table !== undefined && { 'db.collection.name': table }),
  }
  const name = table === undefined ? operation : `${operation} ${table}`
  return [name, { kind: SpanKind.CLIENT, attributes }] as const
}

/** A statement without its columns, values and subqueries, whose tables are not the one that it is about. */
function withoutParentheses(sql: string): string {
  const rest = sql.replace(INNERMOST, '')
  return rest.length === sql.length ? rest : withoutParentheses(rest)
}
