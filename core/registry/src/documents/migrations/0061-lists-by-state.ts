import type { Knex } from 'knex'
import type { Dialect } from '../../database/dialect.js'

/** Puts every listed document into the part of its lists that tells how far its original has come; nothing is archived yet. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const insert = dialect === 'mysql' ? 'insert ignore' : 'insert or ignore'
  for (const [state, condition] of [
    ['incomplete', 'is null'],
    ['hashed', 'is not null'],
  ]) {
    const part = dialect === 'mysql' ? `concat(t.list, ' ${state}')` : `t.list || ' ${state}'`
    await knex.raw(
      `${insert} into registry_timelines (list, at, item)
        select ${part}, t.at, t.item from registry_timelines t join registry_documents d on d.id = t.item
        where t.list like 'documents %' and t.list not like 'documents % %' and d.digests_fixed_at ${condition}`,
    )
  }
}
