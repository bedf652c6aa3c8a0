import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { WebhookAddresses } from '@signed-registry/core'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { type CallerConfig, callerConfig, callerContradictions, callerVariables } from './caller-variables.js'
import type { ErrorsStatus } from './error-status.js'

const text = (description: string, pattern = '.') => Type.String({ pattern, description })
const httpUrl = () => text('an address that begins with http:// or https://', '^https?://[^\\s]+$')
const bytes = () => Type.Integer({ minimum: 1024, maximum: 2 ** 50, description: 'a number of bytes, at least 1024' })

/** The environment of the stock host; every variable is optional (docs/configuration.md). */
export const Environment = Type.Partial(
  Type.Object({
    DATABASE_URL: text('sqlite:PATH or mysql://user:password@host:port/name', '^(sqlite:.+|mysql://[^\\s]+)$'),
    DATA_DIR: text('a folder'),
    HOST: text('an address of this machine'),
    PORT: Type.Integer({ minimum: 0, maximum: 65535, description: 'a port number, 0 for any free one' }),
    TLS_CERT: text('a PEM file'),
    TLS_KEY: text('a PEM file'),
    BASE_URL: httpUrl(),
    TRUST_ANCHORS: text('a PEM or DER file, or a folder of them'),
    TSP_URL: httpUrl(),
    OCSP_URL: httpUrl(),
    OCSP_ALLOWED_HOSTS: text('host names, separated by commas', '^[A-Za-z0-9.:,\\s\\[\\]-]+$'),
    WEBHOOK_ADDRESSES: Type.Enum(['public', 'any'], { description: 'public or any' }),
    LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      description: 'fatal, error, warn, info, debug, trace or silent',
    }),
    ERRORS_STATUS: Type.Enum(['semantic', 'always-200'], { description: 'semantic or always-200' }),
    JSON_BODY_LIMIT: bytes(),
    UPLOAD_LIMIT: bytes(),
    ...callerVariables,
  }),
)
export type Environment = Static<typeof Environment>

/** Who is trusted, and who stamps and answers for certificates. */
export type Authorities =
  | { readonly kind: 'development'; readonly folder: string }
  | {
      readonly kind: 'online'
      /** PEM or DER file, or a folder of them. */
      readonly trustAnchors: string
      readonly tspUrl: string
      readonly ocspUrl: string | undefined
      readonly ocspAllowedHosts: readonly string[]
    }

/** Everything the stock host is told from outside, checked once. Holds secrets (database password, TLS key, session secrets): never log it. */
export interface Config extends CallerConfig {
  readonly databaseUrl: string
  readonly dataDir: string
  readonly listen: { readonly host: string; readonly port: number }
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined
  /** Address used in links, without a slash at its end. */
  readonly baseUrl: string | undefined
  readonly authorities: Authorities
  /** Where the webhooks of organizations may lead. */
  readonly webhookAddresses: WebhookAddresses
  readonly logLevel: NonNullable<Environment['LOG_LEVEL']>
  readonly errorsStatus: ErrorsStatus
  /** Bytes. */
  readonly limits: { readonly json: number; readonly upload: number }
}

/** Thrown once, with every wrong variable in its message. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Reads the configuration; an empty variable is one that is not set. Throws a `ConfigError` that lists everything wrong at once. */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const known = Object.keys(Environment.properties).filter((name) => variables[name]?.trim())
  const given: unknown = Value.Convert(Environment, Object.fromEntries(known.map((name) => [name, variables[name]])))
  const wrong = [...Value.Errors(Environment, given)].map(({ instancePath }) => takes(instancePath.slice(1)))
  const env = (wrong.length === 0 ? given : {}) as Environment
  wrong.push(...contradictions(variables), ...callerContradictions(variables))
  const tls = readTls(variables, wrong)
  if (wrong.length > 0) throw new ConfigError(`Wrong configuration:\n  ${wrong.join('\n  ')}`)

  const dataDir = env.DATA_DIR ?? './data'
  return deepFreeze({
    databaseUrl: env.DATABASE_URL ?? `sqlite:${join(dataDir, 'registry.sqlite')}`,
    dataDir,
    listen: { host: env.HOST ?? '127.0.0.1', port: env.PORT ?? 8080 },
    tls,
    baseUrl: env.BASE_URL?.replace(/\/+$/, ''),
    authorities: authorities(env, dataDir),
    webhookAddresses: env.WEBHOOK_ADDRESSES ?? 'public',
    logLevel: env.LOG_LEVEL ?? 'info',
    errorsStatus: env.ERRORS_STATUS ?? 'semantic',
    limits: { json: env.JSON_BODY_LIMIT ?? 10 * 2 ** 20, upload: env.UPLOAD_LIMIT ?? 4 * 2 ** 30 },
    ...callerConfig(env),
  })
}

const takes = (name: string) => {
  const schema = Object.entries(Environment.properties).find(([key]) => key === name)?.[1]
  return `${name}: takes ${schema !== undefined && 'description' in schema ? schema.description : 'something else'}`
}

function authorities(env: Environment, dataDir: string): Authorities {
  if (env.TRUST_ANCHORS === undefined || env.TSP_URL === undefined)
    return { kind: 'development', folder: join(dataDir, 'dev-authorities') }
  const hosts = env.OCSP_ALLOWED_HOSTS?.split(/[\s,]+/).filter((host) => host !== '')
  return {
    kind: 'online',
    trustAnchors: env.TRUST_ANCHORS,
    tspUrl: env.TSP_URL,
    ocspUrl: env.OCSP_URL,
    ocspAllowedHosts: hosts ?? (env.OCSP_URL === undefined ? [] : [new URL(env.OCSP_URL).host]),
  }
}

function contradictions(env: Readonly<Record<string, string | undefined>>): string[] {
  const wrong: string[] = []
  if (!env.TRUST_ANCHORS) {
    for (const name of ['TSP_URL', 'OCSP_URL', 'OCSP_ALLOWED_HOSTS'])
      if (env[name]) wrong.push(`${name}: needs TRUST_ANCHORS (development authorities answer for themselves)`)
    return wrong
  }
  if (!statSync(env.TRUST_ANCHORS, { throwIfNoEntry: false }))
    wrong.push(`TRUST_ANCHORS: no file or folder at ${env.TRUST_ANCHORS}`)
  if (!env.TSP_URL) wrong.push('TSP_URL: TRUST_ANCHORS needs the time-stamping authority that goes with them')
  return wrong
}

function readTls(env: Readonly<Record<string, string | undefined>>, wrong: string[]): Config['tls'] {
  if (!env.TLS_CERT && !env.TLS_KEY) return undefined
  if (!env.TLS_CERT || !env.TLS_KEY) {
    wrong.push(`${env.TLS_CERT ? 'TLS_KEY' : 'TLS_CERT'}: TLS needs both TLS_CERT and TLS_KEY`)
    return undefined
  }
  const read = (name: string, path: string) => {
    try {
      return readFileSync(path)
    } catch {
      wrong.push(`${name}: cannot read ${path}`)
      return Buffer.alloc(0)
    }
  }
  return { cert: read('TLS_CERT', env.TLS_CERT), key: read('TLS_KEY', env.TLS_KEY) }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
    Object.values(value).forEach(deepFreeze)
    Object.freeze(value)
  }
  return value
}
