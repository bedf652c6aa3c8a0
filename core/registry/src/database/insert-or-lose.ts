import type { Knex } from 'knex'
import { isUniqueViolation } from './dialect.js'

/** Inserts a row and returns true, or false if its key exists: one of several that race for a key wins, without errors. */
export async function insertOrLose(insert: Knex.QueryBuilder): Promise<boolean> {
  try {
    await insert
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}
