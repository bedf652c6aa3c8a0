import { Database } from '../database/database.js'
import { integer, places, table, text } from '../database/table.js'
import type { Injected } from '../kernel/service.js'
import type { SignatureFacts } from '../signatures/index.js'
import { organizationName, personName } from './names.js'

const names = table('registry_party_names', {
  party: text('party'),
  name: text('name'),
  knownAt: integer('known_at'),
})

const MAX_MET = 10_000

/** Whose name a validated certificate says. */
type Named = Pick<SignatureFacts, 'userId' | 'businessId' | 'subjectStructure'>

/**
 * Names of people and organizations by IIN and BIN, as last seen in a validated certificate. Who shows a person's name to
 * somebody who only knows the IIN makes the registry a directory: see docs/specification-gaps.md, "Names".
 */
export class PartyNames {
  static readonly inject = { database: Database }

  /** Names that are in the database, so that another signature of the same person asks nothing. */
  private readonly met = new Map<string, string>()

  constructor(private readonly use: Injected<typeof PartyNames.inject>) {}

  /** Keeps the names in a certificate, in the caller's transaction; writes nothing where they are known. */
  async remember({ userId, businessId, subjectStructure }: Named, at: number): Promise<void> {
    const said = new Map([[userId, personName(subjectStructure)]])
    if (businessId !== undefined) said.set(businessId, organizationName(subjectStructure))
    const unmet = [...said].filter(([party, name]) => name !== '' && this.met.get(party) !== name)
    if (unmet.length === 0) return
    const known = await this.of(unmet.map(([party]) => party))
    this.use.database.afterCommit(() => {
      for (const [party, name] of unmet) this.meet(party, name)
    })
    const fresh = unmet
      .filter(([party, name]) => known.get(party) !== name)
      .map(([party, name]) => names.row({ party, name, knownAt: at }))
    if (fresh.length === 0) return
    await this.use.database.query(names.name).insert(fresh).onConflict('party').merge(['name', 'known_at'])
  }

  /** The names of those parties (IIN or BIN) that are known. */
  async of(parties: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const asked = [...new Set(parties)]
    if (asked.length === 0) return new Map()
    const sql = `select party, name from ${names.name} where party in (${places(asked)})`
    const rows = await this.use.database.rows(sql, asked)
    return new Map(rows.map((row) => names.read(row)).map(({ party, name }) => [party, name]))
  }

  private meet(party: string, name: string): void {
    if (this.met.size >= MAX_MET) this.met.clear()
    this.met.set(party, name)
  }
}
