import type { Knex } from 'knex'
import type { TaskGuard } from '../kernel/schedule.js'
import { ifLeaseFree } from './lease.js'

/** Guards each scheduled task with a lease, so that one host at a time runs it. */
export const taskLeases = (knex: Knex): TaskGuard => ({
  guard: (name, work) => ifLeaseFree(knex, `task ${name}`, work),
})
