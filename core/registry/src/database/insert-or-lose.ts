import type { Knex } from 'knex'
import { isUniqueViolation } from './dialect.js'

/** Inserts, and tells whether it did: of several who insert the same key one wins, and the others lose without an error. */
export async function insertOrLose(insert: Knex.QueryBuilder): Promise<boolean> {
  try {
    await insert
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}
