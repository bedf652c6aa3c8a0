import { type AuditCheck, AuditSeals } from './audit/index.js'
import { coreAreas, coreMigrations } from './core-areas.js'
import { DatabaseNotUsable, schemaStatus } from './database/migrate.js'
import { openToRead } from './database/open.js'
import { Clock } from './kernel/clock.js'
import { compose } from './kernel/compose.js'
import { provideValue } from './kernel/service.js'
import { AuditEntries, UnloggedFacts } from './log/index.js'
import { foundation } from './registry.js'
import { StatusSource, TimestampSource, TrustStore } from './signatures/index.js'

/** What an auditor compares with the log that a registry serves; nothing is written. */
export interface LogAudit {
  /** Opens the entries of a log with what the database has. */
  readonly entries: Pick<AuditEntries, 'log' | 'compare'>
  /** Looks for facts that the log should have. */
  readonly unlogged: Pick<UnloggedFacts, 'of'>
  /** Verifies the hash chain of audit events; the log has its seals. */
  checkAudit(): Promise<AuditCheck>
  /** Closes the database. */
  close(): Promise<void>
}

const notAsked = () => Promise.reject(new TypeError('An audit of the log asks no authorities'))

/** Ports that areas cannot be composed without, and that nothing here asks. */
const NO_AUTHORITIES = {
  name: 'audit of the log',
  provides: [
    provideValue(TrustStore, {
      trust: () => ({ anchors: [], intermediates: [] }),
      state: () => ({ loadedAt: 0, anchors: 0 }),
    }),
    provideValue(TimestampSource, { url: 'http://none.invalid/', timestamp: notAsked }),
    provideValue(StatusSource, { urlFor: () => undefined, status: notAsked }),
  ],
}

/**
 * Opens the database of a registry, or a copy of it, for reading alone. Rejects with `DatabaseNotUsable` where its schema is
 * of another version: the texts of entries are written from it.
 */
export async function openLogAudit(options: {
  /** `sqlite:PATH` or `mysql://…`. */
  readonly database: string
  readonly clock?: Clock
}): Promise<LogAudit> {
  const knex = openToRead(options.database)
  try {
    const { pending, newer } = await schemaStatus(knex, coreMigrations).catch((cause: unknown) => {
      throw new DatabaseNotUsable(cause)
    })
    if (pending.length > 0)
      throw new DatabaseNotUsable(
        new Error(
          `its schema lacks ${pending.join(', ')}: run "signed-registry migrate up" on a copy of it, or take the version that made it`,
        ),
      )
    if (newer.length > 0)
      throw new DatabaseNotUsable(
        new Error(`its schema is newer than this program (${newer.join(', ')}): install the version that made it`),
      )
    const clock = options.clock === undefined ? [] : [provideValue(Clock, options.clock)]
    // Every area, since any of them can have logged something; each part is made when it is first needed.
    const { get } = compose(
      [...coreAreas, foundation(knex, true)],
      [{ ...NO_AUTHORITIES, provides: [...NO_AUTHORITIES.provides, ...clock] }],
    )
    return {
      entries: get(AuditEntries),
      unlogged: get(UnloggedFacts),
      checkAudit: () => get(AuditSeals).check(),
      close: () => knex.destroy(),
    }
  } catch (error) {
    await knex.destroy()
    throw error
  }
}
