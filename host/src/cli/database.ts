import { existsSync } from 'node:fs'
import { backUpDatabase, openSchema, type Schema } from '@signed-registry/core'
import type { Config } from '../config/config.js'
import { loadConfig } from '../config/load-config.js'
import { pluginsOf } from '../stock-plugins.js'
import { type Console, UsageError } from './console.js'

/** Copies the database, also while a host uses it. */
export async function backup([file, ...more]: readonly string[], { env, out }: Console): Promise<number> {
  if (file === undefined || more.length > 0) throw new UsageError('Name one file to copy the database into')
  await backUpDatabase((await loadConfig(env)).databaseUrl, file)
  out(`The database was copied to ${file}\n`)
  return 0
}

/** Checks the schema of the database, or brings it up to date. */
export async function migrate([what, option, ...more]: readonly string[], { env, out }: Console): Promise<number> {
  const isDry = option === '--dry-run'
  if (more.length > 0 || (option !== undefined && !(what === 'up' && isDry))) throw new UsageError('Too many arguments')
  if (what !== 'status' && what !== 'up') throw new UsageError('Give status or up')
  const config = await loadConfig(env)
  const missing = missingDatabase(config)
  if (missing !== undefined && (what === 'status' || isDry)) throw new Error(`There is no database at ${missing}`)
  const schema = openSchema(config.databaseUrl, pluginsOf(config))
  try {
    if (isDry) out((await schema.pendingSql()).map((line) => `${line}\n`).join(''))
    else if (what === 'up') await schema.up()
    return isDry ? 0 : await report(schema, out)
  } finally {
    await schema.close()
  }
}

async function report(schema: Schema, out: (text: string) => void): Promise<number> {
  const { applied, pending, newer } = await schema.status()
  for (const name of applied) out(`${newer.includes(name) ? 'newer than this program' : 'applied'}  ${name}\n`)
  for (const name of pending) out(`pending  ${name}\n`)
  return newer.length > 0 ? 1 : 0
}

/** Whether there is a database, and it has the schema of this program: what only reads must not change it. */
export async function hasCurrentSchema(config: Config): Promise<boolean> {
  if (missingDatabase(config) !== undefined) return false
  const schema = openSchema(config.databaseUrl, pluginsOf(config))
  const { pending } = await schema.status().finally(() => schema.close())
  return pending.length === 0
}

/** The file of a SQLite database, if it does not exist. */
export function missingDatabase({ databaseUrl }: Config): string | undefined {
  if (!databaseUrl.startsWith('sqlite:')) return undefined
  const file = databaseUrl.slice('sqlite:'.length)
  return existsSync(file) ? undefined : file
}
