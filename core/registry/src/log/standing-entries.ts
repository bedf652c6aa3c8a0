import type { PublicEntry } from '@signed-registry/verifier/log'
import { port } from '../kernel/port.js'
import type { Injected } from '../kernel/service.js'
import { LogEntries } from './log-entries.js'
import { LogSettings } from './log-settings.js'

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
  static readonly inject = { standing: StandingEntry, entries: LogEntries, settings: LogSettings }
  private isDone = false

  constructor(private readonly use: Injected<typeof StandingEntries.inject>) {}

  /** Adds those that are not logged yet. */
  async add(): Promise<void> {
    if (this.isDone || !this.use.settings.isOn) return
    for (const standing of this.use.standing) {
      const entry = standing.entry()
      if (entry !== undefined) await this.use.entries.publishOnce(standing.ref, entry)
    }
    this.isDone = true
  }
}
