import { anonymous, provideValue, type RegistryOptions } from '@signed-registry/core'
import { RegisterDocument } from '@signed-registry/core/documents'
import { GetLog, type PublicLog } from '@signed-registry/core/log'
import { type OpenCheckpoint, openCheckpoint, type PublicEntry, readPublicEntry } from '@signed-registry/verifier/log'
import { LogTree } from '#core/log/log-tree.js'
import { defaultLogTimes, LogTimes, LogWorker } from '#core/log/log-worker.js'
import { ServeLog } from '#core/log/serve-log.js'
import { type TestRegistry, testRegistry } from '../registry.js'

/** A registry whose log is moved on by hand, as often as a test wants. */
export interface LoggingRegistry extends TestRegistry {
  /** Registers a new document, and answers its signature. */
  register(): Promise<{ readonly documentId: string; readonly signId: number }>
  /** Does a round of the log. */
  integrate(): Promise<void>
  log(): Promise<PublicLog>
  /** The newest checkpoint, opened by the key that the registry tells. */
  checkpoint(): Promise<OpenCheckpoint>
  /** The public entries of the tree of a checkpoint of this log, of at most 256 entries. */
  publicEntries(log: number, checkpoint: OpenCheckpoint): Promise<PublicEntry[]>
}

/** Every host may move the log on at any time, also one that has just started. */
const noTurns = { name: 'no turns', provides: [provideValue(LogTimes, { ...defaultLogTimes, turnMs: 0 })] }

/** Opens a registry with a log. */
export async function loggingRegistry(
  database: RegistryOptions['database'],
  log: RegistryOptions['log'],
  more: Parameters<typeof testRegistry>[1] = {},
): Promise<LoggingRegistry> {
  const plugins = [...(more.plugins ?? []), noTurns]
  const test = await testRegistry(database, { ...more, plugins, ...(log !== undefined && { log }) })
  const { registry, authorities } = test
  const told = () => registry.get(GetLog).execute()
  return {
    ...test,
    async register() {
      const data = Buffer.from(`I owe you ${Math.random()} tenge.`)
      const signature = authorities.person().signCms(data).toString('base64')
      const { documentId, signId = 0 } = await registry
        .get(RegisterDocument)
        .execute(anonymous, { request: { signature } })
      return { documentId, signId }
    },
    integrate: () => registry.get(LogWorker).run(),
    log: told,
    async checkpoint() {
      const { address, verifierKey = '' } = await told()
      return openCheckpoint(await registry.get(ServeLog).checkpoint(address.split('/').at(-1) ?? ''), verifierKey)
    },
    async publicEntries(number, { size, root }) {
      const entries = await registry.get(LogTree).entries({ log: number, size, root }, 0, size)
      return entries.map(readPublicEntry).filter((entry) => entry !== undefined)
    },
  }
}
