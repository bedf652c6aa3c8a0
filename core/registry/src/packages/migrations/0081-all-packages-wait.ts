import type { Knex } from 'knex'

/** Every package is looked at, whoever registered it: whether it got its originals. */
export async function up(knex: Knex): Promise<void> {
  await knex('registry_packages')
    .whereNull('waits_since')
    .update({ waits_since: knex.ref('stored_at') })
}
