import type { PublicEntry } from '@signed-registry/verifier/log'
import { Database } from '../database/database.js'
import { port } from '../kernel/port.js'
import type { Injected } from '../kernel/service.js'
import { LogEntries } from './log-entries.js'
import { LogSettings } from './log-settings.js'
import { type Log, LogStore } from './log-store.js'

/** What everybody may read in the log of a registry from its start, such as its public keys. */
export interface StandingEntry {
  /** Unique; ASCII of at most 160 characters. */
  readonly ref: string
  /** `undefined` where the registry has none. */
  entry(): PublicEntry | undefined
}
export const StandingEntry = port<StandingEntry>('StandingEntry', 'contribution')

/** Logs standing entries, each once. */
export class StandingEntries {
  static readonly inject = {
    database: Database,
    standing: StandingEntry,
    logs: LogStore,
    entries: LogEntries,
    settings: LogSettings,
  }
  /** The log that has them. */
  private done: number | undefined

  constructor(private readonly use: Injected<typeof StandingEntries.inject>) {}

  /** Adds those that a log does not have yet. */
  async add({ log }: Pick<Log, 'log'>): Promise<void> {
    if (this.done === log || !this.use.settings.isOn) return
    const { database, standing, logs, entries } = this.use
    await database.transaction(async () => {
      // Hosts that start together add them one after the other.
      await logs.lock(log)
      for (const one of standing) {
        const entry = one.entry()
        if (entry !== undefined) await entries.publishOnce(log, one.ref, entry)
      }
    })
    this.done = log
  }
}
