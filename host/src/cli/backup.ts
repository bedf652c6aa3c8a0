import { backUpDatabase } from '@signed-registry/core'
import { readConfig } from '../config/config.js'
import { type Console, UsageError } from './console.js'

/** Copies the database while a host may work on it. */
export async function backup([file, ...more]: readonly string[], { env, out }: Console): Promise<number> {
  if (file === undefined || more.length > 0) throw new UsageError('Name one file to copy the database into')
  await backUpDatabase(readConfig(env).databaseUrl, file)
  out(`The database was copied to ${file}\n`)
  return 0
}
