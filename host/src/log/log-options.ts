import { existsSync, readFileSync } from 'node:fs'
import type { LogOptions } from '@signed-registry/core'
import { OnlineTimestampSource } from '@signed-registry/online-authorities'
import type { Config } from '../config/config.js'
import { keptKey } from '../session/kept-secrets.js'

/** What the configuration says of the log, for `createRegistry`; keys that are not given are made once and kept. */
export function logOptions({ log, dataDir }: Pick<Config, 'log' | 'dataDir'>): LogOptions {
  if (log === undefined) return off(dataDir)
  const { witnessKeyFile } = log
  return {
    ...withoutKeys(log, dataDir),
    key: keptKey(log.keyFile),
    ...(log.witnessFor !== undefined && { witnessKey: keptKey(witnessKeyFile) }),
  }
}

/** As `logOptions`, for commands: no key is made. */
export function logOptionsOfCommand({ log, dataDir }: Pick<Config, 'log' | 'dataDir'>): LogOptions {
  if (log === undefined) return off(dataDir)
  const { witnessFor: _, ...options } = withoutKeys(log, dataDir)
  return { ...options, ...(existsSync(log.keyFile) && { key: readFileSync(log.keyFile, 'utf8') }) }
}

/** The marks of logs that were kept before still say what may be served. */
const off = (folder: string): LogOptions => ({ isOn: false, folder })

function withoutKeys(log: NonNullable<Config['log']>, folder: string): LogOptions {
  const { origin, witnesses, witnessFor, tspUrl } = log
  return {
    folder,
    ...(origin !== undefined && { origin }),
    ...(witnesses !== undefined && { witnesses }),
    ...(witnessFor !== undefined && { witnessFor }),
    ...(tspUrl !== undefined && { timestamps: new OnlineTimestampSource({ tspUrl }) }),
  }
}
