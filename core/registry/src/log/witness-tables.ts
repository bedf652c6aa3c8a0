import { bytes, integer, optional, table, text, word } from '../database/table.js'

/** What a witness says against our log: that it has cosigned a larger tree of it, or another one. */
export const OBJECTIONS = ['ahead', 'otherTree'] as const
export type Objection = (typeof OBJECTIONS)[number]

/** Witnesses that are asked for cosignatures, as far as each has come with a log. */
export const witnessesTable = table('registry_log_witnesses', {
  log: integer('log'),
  /** SHA-256 of its verifier key, hexadecimal. */
  witness: text('witness'),
  /** Its name in the policy. */
  name: text('name'),
  /** Of the last tree that it is known to have cosigned. */
  size: integer('size'),
  cosignedAt: optional(integer('cosigned_at')),
  failedAt: optional(integer('failed_at')),
  /** Why it gave no cosignature when it failed last. */
  failure: optional(text('failure')),
  objection: optional(word('objection', OBJECTIONS)),
})

/** Logs of others that this registry is a witness of: the last tree of each that it has cosigned. */
export const witnessedTable = table('registry_log_witnessed', {
  /** SHA-256 of the origin, hexadecimal. */
  originHash: text('origin_hash'),
  origin: text('origin'),
  size: integer('size'),
  root: bytes('root'),
  /**
   * The checkpoint with the signatures by its log and the cosignature; an earlier one while cosigning is halted, and `undefined`
   * where an operator has put the tree back.
   */
  note: optional(text('note')),
  cosignedAt: integer('cosigned_at'),
  /** When a host found that the database lacked the tree, which it had cosigned: nothing is cosigned until an operator resumes. */
  haltedAt: optional(integer('halted_at')),
})
