import type { Knex } from 'knex'

/** What an organization has been told of its subscription; what was over before counts as told. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('registry_subscriptions', 'change_to_tell')) return
  await knex.schema.alterTable('registry_subscriptions', (table) => {
    table.boolean('change_to_tell').notNullable().defaultTo(false)
    table.bigInteger('ending_told_at').nullable()
    table.bigInteger('ended_told_at').nullable()
  })
  const now = Date.now()
  await knex('registry_subscriptions').where('expires', '>', 0).andWhere('expires', '<=', now).update({
    ending_told_at: now,
    ended_told_at: now,
  })
}
