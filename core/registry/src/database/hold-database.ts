import { mkdirSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { isRetryable } from './dialect.js'
import { DatabaseNotUsable } from './migrate.js'
import { createFile, SqliteConnection } from './sqlite-dialect.js'

/**
 * Keeps an SQLite database from other hosts until the answered function is called, or this process ends in whatever way; `undefined`
 * while another one has it. Whoever does not ask, such as the command line, may use it all the same. Any number of hosts may share
 * a database of a server: nothing is held there.
 */
export function holdDatabase(url: string): (() => void) | undefined {
  const file = url.replace(/^sqlite:/, '')
  if (file === url || file === ':memory:') return () => undefined
  try {
    mkdirSync(dirname(file), { recursive: true })
    // One database under two names is one: a link has to lead somewhere.
    createFile(file)
    const connection = SqliteConnection.toHold(`${realpathSync(file)}.lock`)
    return () => connection.close()
  } catch (error) {
    if (isRetryable(error)) return undefined
    throw new DatabaseNotUsable(error)
  }
}
