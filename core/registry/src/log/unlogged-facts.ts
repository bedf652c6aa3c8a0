import { Database } from '../database/database.js'
import { places } from '../database/table.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import type { EntryOfLog } from './audit-entries.js'
import { type Log, LogStore } from './log-store.js'
import { entriesTable, logsTable, storedRef } from './log-tables.js'
import { LOGGED_KINDS, LoggedFacts, type SaltedKind } from './logged-facts.js'

/** A fact of the database that no entry of the served log names. */
export interface UnloggedFact {
  /** An entry of another log that names it, by the database. */
  readonly elsewhere?: EntryOfLog
  readonly kind: SaltedKind
  readonly ref: string
  /** When it was stored, milliseconds. */
  readonly at: number
  /** Whether it is older than the first log, which cannot name it. */
  readonly isOlderThanLog: boolean
}

/** Longer than any registration waits for its entry. */
const SETTLED_MS = 10 * 60_000

/** Looks for what the log should have. */
export class UnloggedFacts {
  static readonly inject = { database: Database, logs: LogStore, facts: LoggedFacts, clock: Clock }

  constructor(private readonly use: Injected<typeof UnloggedFacts.inject>) {}

  /** The facts that were not stored within ten minutes of now, and are not among the first `size` entries of a log. */
  async *of({ log }: Pick<Log, 'log'>, size: number): AsyncGenerator<UnloggedFact> {
    const begun = (await this.use.logs.all())[0]?.startedAt ?? 0
    const now = this.use.clock.now()
    for (const source of this.use.facts) {
      for (const kind of source.kinds) {
        for await (const facts of source.stored(kind)) {
          // A time that is yet to come, or none at all, would hide one for ever.
          const due = facts.filter(({ at }) => !(Math.abs(now - at) < SETTLED_MS))
          const logs = await this.logsOf(
            kind,
            due.map(({ ref }) => ref),
            { log, size },
          )
          for (const { ref, at } of due) {
            const named = logs.get(ref)
            if (named?.log === log) continue
            yield {
              kind,
              ref,
              at,
              isOlderThanLog: at < begun,
              ...(named && { elsewhere: { origin: named.origin, index: named.index } }),
            }
          }
        }
      }
    }
  }

  /**
   * The log whose entry names each of some refs: the audited one, among its first `size` entries, before any other; of others
   * what their newest checkpoint covers. What nothing opens names nothing, and so does a row that is at no place of a tree.
   */
  private async logsOf(
    kind: SaltedKind,
    refs: readonly string[],
    { log, size }: Pick<Log, 'log' | 'size'>,
  ): Promise<ReadonlyMap<string, EntryOfLog & Pick<Log, 'log'>>> {
    const rows = await this.use.database.rows(
      `select entry.ref, entry.idx, logs.log, logs.origin from registry_log_entries entry join registry_logs logs on logs.log = entry.log
        where entry.ref in (${places(refs)}) and entry.kind = ? and entry.salt is not null and entry.idx >= 0 and entry.idx <
          case when logs.log = ? then ?
            else (select max(size) from registry_log_checkpoints signed where signed.log = logs.log) end
        order by logs.log = ?`,
      [...refs.map(storedRef), LOGGED_KINDS[kind], log, size, log],
    )
    const entries = rows.map((row) => ({ ...entriesTable.read(row), origin: logsTable.read(row).origin }))
    // SQLite keeps any number, or none, in any column.
    return new Map(entries.filter(({ index }) => Number.isSafeInteger(index)).map((entry) => [entry.ref, entry]))
  }
}
