import type { Reader } from './shared-reads.js'

/**
 * On Galera a node applies what the others committed some time later: a statement outside of a transaction, and the
 * beginning of one, waits until the node has all that was committed anywhere before. Other servers pass over it or do not
 * know it.
 */
export const CAUSAL = 'SET SESSION wsrep_sync_wait = 7'

/** Has a row in it at a node of a Galera cluster. */
export const IS_NODE = "SHOW SESSION VARIABLES WHERE Variable_name = 'wsrep_on' AND Value = 'ON'"

/** A reader at a node of a Galera cluster: statements that go together wait once, as one transaction, and not each. */
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
