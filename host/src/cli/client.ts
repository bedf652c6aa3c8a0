import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describeRegistry } from '@signed-registry/core'
import { CLIENT_MARK, clientSource } from '../client-source/client-source.js'
import { loadConfig } from '../config/load-config.js'
import { pluginsOf } from '../stock-plugins.js'
import { type Console, UsageError } from './console.js'

/** Writes a typed client that has the operations of plugins, too. */
export async function writeClient([file, ...more]: readonly string[], { env, out }: Console): Promise<number> {
  if (file === undefined || more.length > 0) throw new UsageError('Name one TypeScript file to write the client into')
  if (existsSync(file) && !readFileSync(file, 'utf8').startsWith(CLIENT_MARK))
    throw new Error(`${file} was not written by this command: name another file, or remove it first`)
  const described = describeRegistry(pluginsOf(await loadConfig(env)))
  writeFileSync(file, clientSource(described))
  out(`${file} has a client of ${described.operations.length} operations\n`)
  return 0
}
