import { existsSync, mkdirSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isRetryable } from './dialect.js'
import { DatabaseNotUsable } from './migrate.js'
import { SqliteConnection } from './sqlite-dialect.js'

/**
 * Locks an SQLite database against other hosts until the returned function is called or this process ends; `undefined` while
 * another host has it. Programs that do not call this, such as the command line, can still open the database. On a server
 * any number of hosts share one: nothing is locked there.
 */
export function holdDatabase(url: string): (() => void) | undefined {
  const file = url.replace(/^sqlite:/, '')
  if (file === url || file === ':memory:') return () => undefined
  try {
    mkdirSync(dirname(file), { recursive: true })
    const connection = SqliteConnection.toHold(`${realName(file)}.lock`)
    return () => connection.close()
  } catch (error) {
    if (isRetryable(error)) return undefined
    throw new DatabaseNotUsable(error)
  }
}

const MAX_LINKS = 40

/** The one name of a database that has several, also where it is not made yet and a link leads to it: a start may still fail. */
function realName(file: string, links = 0): string {
  if (existsSync(file)) return realpathSync(file)
  const target = targetOf(file)
  if (target !== undefined && links < MAX_LINKS) return realName(resolve(dirname(file), target), links + 1)
  return join(realpathSync(dirname(file)), basename(file))
}

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link)
  } catch {
    return undefined
  }
}
