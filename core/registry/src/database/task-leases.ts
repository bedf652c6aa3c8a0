import type { Knex } from 'knex'
import type { TaskGuard } from '../kernel/schedule.js'
import { ifLeaseFree } from './lease.js'

/** Lets one host at a time run a scheduled task, by a lease. */
export const taskLeases = (knex: Knex): TaskGuard => ({
  guard: (name, work) => ifLeaseFree(knex, `task ${name}`, work),
})
