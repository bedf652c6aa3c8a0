import { type Registry, type Reloadable, ReloadRefused, Reloads } from '@signed-registry/core'
import type { FastifyInstance } from 'fastify'
import { type Config, ConfigError } from './config/config.js'
import type { SessionSecrets } from './session/session-secrets.js'
import type { ServerCertificate } from './tls/server-certificate.js'

/** What of a running host can change. */
export interface Changeable {
  readonly registry: Registry
  readonly log: FastifyInstance['log']
  /** That of `TLS_CERT`, if there is one. */
  readonly certificate: ServerCertificate | undefined
  readonly secrets: SessionSecrets
}

/** Variables whose new value counts without a restart. */
export const LIVE: ReadonlySet<string> = new Set(['LOG_LEVEL', 'SESSION_SECRET', 'TLS_CERT', 'TLS_KEY'])

/**
 * Takes over what can change while a host runs, all of it or nothing; answers what has changed, and which variables count only after
 * a restart. `next` is a configuration that was read anew, `secretsOf` its session secrets. Rejects with `ReloadRefused`.
 */
export async function reloadHost(
  { registry, log, certificate, secrets }: Changeable,
  [before, next]: readonly [Config, Config],
  sessionSecrets: readonly string[],
): Promise<{ readonly changed: readonly string[]; readonly restart: readonly string[] }> {
  const { tls, logLevel } = next
  const own: Reloadable[] = [
    ...(certificate && tls ? [{ reread: () => certificate.reread(tls) }] : []),
    { reread: () => secrets.reread(sessionSecrets) },
    {
      reread: async () => ({
        changed: log.level === logLevel ? undefined : `LOG_LEVEL: ${logLevel}`,
        apply: () => {
          log.level = logLevel
        },
      }),
    },
  ]
  const changed = await registry.get(Reloads).reload(own)
  return { changed, restart: forRestart(before, next) }
}

/** Variables that were changed since the start, and count only after a restart. */
export function forRestart(before: Config, next: Config): string[] {
  const isSwitched = (before.tls === undefined) !== (next.tls === undefined)
  const names = new Set([...Object.keys(before.given), ...Object.keys(next.given)])
  return [...names].filter(
    (name) => before.given[name] !== next.given[name] && (!LIVE.has(name) || (isSwitched && name.startsWith('TLS_'))),
  )
}

/** What was wrong, in one line for the log. */
export const refusalWords = (wrong: readonly string[]): string =>
  `nothing was read anew, and the host goes on with what it had: ${wrong.join('; ')}; correct that and send SIGHUP again`

/** What an error of reading anew says, one by one. */
export const wrongIn = (error: unknown): readonly string[] => {
  if (error instanceof ReloadRefused || error instanceof ConfigError) return error.wrong
  return [error instanceof Error ? error.message : String(error)]
}

/** Names variables that count only after a restart. */
export const restartWords = (names: readonly string[]): string =>
  `changed, and counts only after a restart: ${names.join(', ')}`
