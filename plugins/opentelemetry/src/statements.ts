import { type Span, SpanKind, trace } from '@opentelemetry/api'
import type { Tracer } from '@signed-registry/core'
import { failureOf, type Spans } from './spans.js'

/** What Knex tells of a statement; BEGIN, COMMIT and savepoints have no id, and no end is told of them. */
interface Statement {
  readonly sql: string
  readonly __knexQueryUid?: string
}

/** Inserts of many rows are long, and say nothing new. */
const MAX_TEXT = 1000
const UPDATE = /^\s*(update)\s+[`"]?(\w+)/i
const OTHERS = /^\s*(\w+)(?:[\s\S]*?\b(?:from|into)\s+[`"]?(\w+))?/i
const INNERMOST = /\([^()]*\)/g
const followed = new WeakSet<object>()

/** Makes the statements of a pool spans of the requests that send them: their text, never their values. */
export function followStatements(knex: Parameters<Tracer['statements']>[0], spans: Spans): void {
  // Two registries may share the pool of an application.
  if (followed.has(knex)) return
  followed.add(knex)
  const system = String(knex.client.dialect).replace('sqlite3', 'sqlite')
  const sent = new Map<string, Span>()
  const take = ({ __knexQueryUid: id = '' }: Statement) => {
    const span = sent.get(id)
    sent.delete(id)
    return span
  }
  knex.on('query', ({ sql, __knexQueryUid: id }: Statement) => {
    // Polls, and other work that belongs to no request, would be traces of one statement each.
    if (id === undefined || trace.getActiveSpan()?.isRecording() !== true) return
    sent.set(id, spans.begin(...spanOf(sql, system)))
  })
  knex.on('query-response', (_response: unknown, statement: Statement) => {
    const span = take(statement)
    if (span !== undefined) spans.end(span)
  })
  knex.on('query-error', (error: unknown, statement: Statement) => {
    const span = take(statement)
    if (span !== undefined) spans.end(span, failureOf(error))
  })
}

function spanOf(sql: string, system: string) {
  const bare = withoutParentheses(sql)
  const [, word = 'SQL', table] = UPDATE.exec(bare) ?? OTHERS.exec(bare) ?? []
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
