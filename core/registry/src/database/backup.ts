import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'
import type { Knex } from 'knex'
import { openDatabase } from './open.js'

/**
 * Copies an SQLite database consistently to a new file while hosts use it, with everything that is committed when the copy
 * starts. Throws for a database of another kind, and for a file that exists.
 */
export async function backUpDatabase(url: string, file: string): Promise<void> {
  if (!url.startsWith('sqlite:')) {
    throw new Error(
      'Only SQLite is copied so. For MariaDB: mariadb-dump --single-transaction --hex-blob; for MySQL: mysqldump, the same.',
    )
  }
  const source = url.slice('sqlite:'.length)
  if (!existsSync(source)) throw new Error(`There is no database at ${source}`)
  if (existsSync(file)) throw new Error(`${file} exists already`)
  const unfinished = `${file}.unfinished`
  const knex: Knex = openDatabase(url)
  try {
    rmSync(unfinished, { force: true })
    // Created first, so that no other user of the machine can read it.
    closeSync(openSync(unfinished, 'wx', 0o600))
    await knex.raw('vacuum into ?', [unfinished])
    renameSync(unfinished, file)
  } finally {
    rmSync(unfinished, { force: true })
    await knex.destroy()
  }
}
