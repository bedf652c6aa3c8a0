import { type Registry, RegistryError } from '@signed-registry/core'
import { GetLog } from '@signed-registry/core/log'
import { ServeLog } from '#core/log/serve-log.js'
import type { AnswerPath, LogAnswer } from './log-server.js'

/** Serves the log of a registry, and says where it is. */
export const registryLog =
  (registry: Registry): AnswerPath =>
  async (path) => {
    const [, name = '', rest = ''] = /^\/log\/([^/]+)\/(.+)$/.exec(path) ?? []
    try {
      if (path === '/api/log') return { body: JSON.stringify(await registry.get(GetLog).execute()) }
      return await below(registry.get(ServeLog), name, rest)
    } catch (error) {
      if (error instanceof RegistryError) return { status: error.code === 'logNotFound' ? 404 : 503, body: error.code }
      throw error
    }
  }

async function below(log: ServeLog, name: string, rest: string): Promise<LogAnswer | undefined> {
  if (rest === 'checkpoint') return { body: await log.checkpoint(name) }
  return rest.startsWith('tile/') ? { body: await log.tile(name, rest.slice('tile/'.length)) } : undefined
}
