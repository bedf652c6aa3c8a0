import { bytes, type Column, integer, optional, table, text, word } from '../database/table.js'
import { LASTING_HALTS } from './halt.js'

const SPACE = 0x20

/**
 * Numbers get a first character that tells how many digits they have, so that the index has them in the order of numbers and
 * grows at its end: 109 bytes an entry on MariaDB, not 124.
 */
export const storedRef = (ref: string): string =>
  /^\d{1,16}$/.test(ref) ? `${String.fromCharCode(SPACE - 1 + ref.length)}${ref}` : ref

const reference = (column: string): Column<string> => ({
  column,
  write: storedRef,
  read: (kept) => String(kept).replace(/^[ -/]/, ''),
})

/** The ref of the entry which says that another one, of a kind, was forgotten. */
export const forgottenRef = ({ log, index }: { readonly log: number; readonly index: number }, kind: string): string =>
  `forgotten ${log} ${index} ${kind}`

/** Entries that wait to be integrated. */
export const pendingTable = table('registry_log_pending', {
  id: integer('id'),
  kind: integer('kind'),
  ref: reference('ref'),
  /** Random; `undefined` of a public entry. */
  salt: optional(bytes('salt')),
  entry: bytes('entry'),
})

/** The logs of this registry: one, and another for each time that a restored database could not go on. */
export const logsTable = table('registry_logs', {
  log: integer('log'),
  /** In its addresses. */
  name: text('name'),
  /** In its checkpoints. */
  origin: text('origin'),
  /** The public key that its checkpoints are signed by; `undefined` until the registry has one. */
  verifierKey: optional(text('verifier_key')),
  /** The public key that is about to take its place. */
  nextKey: optional(text('next_key')),
  size: integer('size'),
  root: bytes('root'),
  publishedSize: integer('published_size'),
  startedAt: integer('started_at'),
  endedAt: optional(integer('ended_at')),
  /** What one host has found that keeps every host from signing. */
  halted: optional(word('halted', LASTING_HALTS)),
  /** The host that integrates, and until when others leave it to that one: milliseconds of the machine's clock. */
  holder: text('holder'),
  heldUntil: integer('held_until'),
})

/** Where each fact stands, and what opens its entry. */
export const entriesTable = table('registry_log_entries', {
  log: integer('log'),
  index: integer('idx'),
  kind: integer('kind'),
  ref: reference('ref'),
  /** `undefined` of public and of forgotten entries. */
  salt: optional(bytes('salt')),
})

export const tilesTable = table('registry_log_tiles', {
  log: integer('log'),
  level: integer('level'),
  index: integer('idx'),
  hashes: bytes('hashes'),
})

export const bundlesTable = table('registry_log_bundles', {
  log: integer('log'),
  index: integer('idx'),
  /** Each after its length in two bytes (C2SP tlog-tiles). */
  entries: bytes('entries'),
})

export const checkpointsTable = table('registry_log_checkpoints', {
  log: integer('log'),
  size: integer('size'),
  /** The checkpoint with its signatures, as it was published. */
  note: text('note'),
  signedAt: integer('signed_at'),
  /** TimeStampToken (RFC 3161) over the note. */
  stamp: optional(bytes('stamp')),
  stampedAt: optional(integer('stamped_at')),
})

/** Checkpoints that the former and the next key of a log both signed: the first that cover the entry about the change. */
export const keyChangesTable = table('registry_log_key_changes', {
  log: integer('log'),
  size: integer('size'),
  formerKey: text('former_key'),
  note: text('note'),
  changedAt: integer('changed_at'),
})
