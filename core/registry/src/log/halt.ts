/** Those that one host may find alone, while another would sign a second tree: all hosts obey them until the log is succeeded. */
export const LASTING_HALTS = ['databaseOlder', 'otherTree'] as const

/**
 * Why checkpoints are not signed: there is no key; the log has another key, or is about to get one; the database is older than
 * what was signed, or holds another tree; a part of the tree is lost or was changed; the mark outside the database cannot be
 * read; a mark is of a log of another name that the database does not know; a witness has cosigned a larger tree, or another;
 * the log has ended.
 */
export type Halt =
  | 'noKey'
  | 'otherKey'
  | 'keyChanges'
  | 'databaseOlder'
  | 'otherTree'
  | 'treeBroken'
  | 'markUnreadable'
  | 'foreignMark'
  | 'witnessAhead'
  | 'witnessDisagrees'
  | 'ended'

/** What the operator does about it. */
export const ADVICE: Readonly<Record<Halt, string>> = {
  noKey: 'give the registry a key for its log',
  otherKey:
    'start this host with the key of the log (after `admin log rotate-key`, the new one); where that key is lost, begin a new log with `admin log resume`',
  keyChanges: 'let `admin log rotate-key` finish, or run it again; then start this host with the new key',
  databaseOlder:
    'the database was restored to an earlier state, or is a new one, and lacks what was signed (`log-….checkpoint` beside the key): restore a later one, or begin a new log with `admin log resume`',
  otherTree:
    'the database is not the one whose log was signed: restore that one, or begin a new log with `admin log resume`',
  treeBroken:
    'a part of the tree of the log is lost or was changed: restore the database, or begin a new log with `admin log resume`',
  markUnreadable:
    'the file `log-….checkpoint` beside the key is damaged: restore it, or put the newest checkpoint of the log there, as another host serves it or an auditor keeps it',
  foreignMark:
    'beside the key is a `log-….checkpoint` of a log that the database does not know: move it away if it is of another registry or of a trial, as each needs a folder of its own; if it is of this one, restore its database, or begin a new log with `admin log resume`',
  witnessAhead:
    'a witness has cosigned a larger tree: restore a later state of the database, begin a new log with `admin log resume`, or leave out the witness if it is wrong',
  witnessDisagrees:
    'a witness has cosigned another tree: restore the database of the log, begin a new log with `admin log resume`, or leave out the witness if it is wrong',
  ended: 'another log has succeeded this one',
}
