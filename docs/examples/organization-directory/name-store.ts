import { Clock, Database, type Injected, insertOrLose, integer, table, text } from '@signed-registry/core'
import { KeptDays, OrganizationDirectory } from './ports.js'

const names = table('organization_directory_names', {
  bin: text('bin'),
  name: text('name'),
  askedAt: integer('asked_at'),
})
const DAY = 24 * 60 * 60 * 1000

/** Caches names from the directory for some days. */
export class NameStore {
  static readonly inject = { database: Database, clock: Clock, directory: OrganizationDirectory, keptDays: KeptDays }

  constructor(private readonly use: Injected<typeof NameStore.inject>) {}

  async find(bin: string): Promise<string | undefined> {
    const now = this.use.clock.now()
    const row = await this.use.database.query(names.name).where(names.row({ bin })).first(names.columns)
    const kept = row && names.read(row)
    if (kept && now < kept.askedAt + this.use.keptDays * DAY) return kept.name
    // No transaction is open here: the network may take its time.
    const name = await this.use.directory.nameOf(bin)
    if (name !== undefined) await this.keep(bin, name, now)
    return name
  }

  private async keep(bin: string, name: string, askedAt: number): Promise<void> {
    const query = () => this.use.database.query(names.name)
    if (await insertOrLose(query().insert(names.row({ bin, name, askedAt })))) return
    await query().where(names.row({ bin })).update(names.row({ name, askedAt }))
  }
}
