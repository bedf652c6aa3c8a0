import { Clock, Database, type Injected, integer, newId, table, text } from '@signed-registry/core'

const visits = table('our_plugin_visits', {
  visitId: text('visit_id'),
  name: text('name'),
  visitedAt: integer('visited_at'),
})

/** Keeps who came, and when. */
export class VisitStore {
  static readonly inject = { database: Database, clock: Clock }

  constructor(private readonly use: Injected<typeof VisitStore.inject>) {}

  /** Stores a visit and answers how many there were by this name, in one transaction. */
  add(name: string): Promise<number> {
    const { database, clock } = this.use
    return database.transaction(async () => {
      const row = visits.row({ visitId: newId(), name, visitedAt: clock.now() })
      await database.query(visits.name).insert(row)
      const found = await database.query(visits.name).where(visits.row({ name })).select('visit_id')
      return found.length
    })
  }
}
