import type { Reader } from './shared-reads.js'

/**
 * A Galera node applies the commits of other nodes with a delay: with this setting a statement outside of transactions, and
 * the start of one, waits until all earlier commits are applied. Other servers ignore it or do not know it.
 */
export const CAUSAL = 'SET SESSION wsrep_sync_wait = 7'

/** Returns a row on a node of a Galera cluster. */
export const IS_NODE = "SHOW SESSION VARIABLES WHERE Variable_name = 'wsrep_on' AND Value = 'ON'"

/** A reader on a Galera node: statements of one packet are one transaction, which waits for earlier commits once. */
export const causalReader = (reader: Reader): Reader => ({
  query: ({ sql, timeout }, done) =>
    reader.query({ sql: `begin;\n${sql};\ncommit`, timeout }, (error, answer) => {
      const [, ...answers]: unknown[] = Array.isArray(answer) ? answer.slice(0, -1) : []
      done(error, answers.length === 1 ? answers[0] : answers)
    }),
  format: (sql, values) => reader.format(sql, values),
  on: (event, listener) => reader.on(event, listener),
  end: () => reader.end(),
  destroy: () => reader.destroy(),
})
