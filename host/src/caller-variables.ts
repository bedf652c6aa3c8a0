import { Type } from 'typebox'
import type { RateSettings } from './limits/request-rates.js'
import { isNetwork, type ProxySettings } from './mutual-tls/proxies.js'

const list = (description: string, item: string) =>
  Type.String({ description, pattern: `^\\s*${item}([\\s,]+${item})*[\\s,]*$` })
const perMinute = () => Type.Integer({ minimum: 0, description: 'requests in a minute, 0 for no limit' })

/** Variables about who calls, and how often. */
export const callerVariables = {
  MTLS_PORT: Type.String({
    pattern: '^(off|[0-9]{1,5})$',
    description: 'a port number, 0 for any free one, or off',
  }),
  SESSION_SECRET: list('secrets of at least 32 characters, separated by commas', '[^\\s,]{32,}'),
  CORS_ORIGINS: list('origins such as https://portal.example, separated by commas', 'https?://[^\\s,/]+'),
  TRUSTED_PROXIES: list('addresses or networks such as 10.0.0.0/24, separated by commas', '[0-9a-fA-F.:/]+'),
  CLIENT_CERTIFICATE_HEADER: Type.String({ pattern: '^[A-Za-z0-9-]+$', description: 'the name of a header' }),
  RATE_LIMIT_ANONYMOUS: perMinute(),
  RATE_LIMIT_CALLER: perMinute(),
}

type Variables = { readonly [Name in keyof typeof callerVariables]?: string | number | undefined }

/** What the configuration says about callers. */
export interface CallerConfig {
  /** Port for information systems. */
  readonly mutualTls: { readonly port: number } | undefined
  /** Empty where the host is to make its own. */
  readonly sessionSecrets: readonly string[]
  readonly corsOrigins: readonly string[]
  readonly proxies: ProxySettings
  readonly rates: RateSettings
}

const MTLS_PORT = '8443'
const RATES: RateSettings = { anonymous: 60, caller: 600 }

export function callerConfig(env: Variables): CallerConfig {
  const port = String(env.MTLS_PORT ?? MTLS_PORT)
  return {
    mutualTls: port === 'off' ? undefined : { port: Number(port) },
    sessionSecrets: items(env.SESSION_SECRET),
    corsOrigins: items(env.CORS_ORIGINS),
    proxies: {
      trusted: items(env.TRUSTED_PROXIES),
      certificateHeader: env.CLIENT_CERTIFICATE_HEADER?.toString().toLowerCase(),
    },
    rates: {
      anonymous: Number(env.RATE_LIMIT_ANONYMOUS ?? RATES.anonymous),
      caller: Number(env.RATE_LIMIT_CALLER ?? RATES.caller),
    },
  }
}

/** What a pattern cannot see; one line for each variable that is wrong. */
export function callerContradictions(env: Readonly<Record<string, string | undefined>>): string[] {
  const wrong: string[] = []
  if (Number(env.MTLS_PORT) > 65_535) wrong.push('MTLS_PORT: takes a port number, 0 for any free one, or off')
  for (const origin of items(env.CORS_ORIGINS)) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) wrong.push(`CORS_ORIGINS: ${origin} is no origin`)
  }
  for (const network of items(env.TRUSTED_PROXIES)) {
    if (!isNetwork(network)) wrong.push(`TRUSTED_PROXIES: ${network} is no address and no network`)
  }
  if (env.CLIENT_CERTIFICATE_HEADER && !env.TRUSTED_PROXIES)
    wrong.push('CLIENT_CERTIFICATE_HEADER: needs TRUSTED_PROXIES, the only ones it is believed from')
  return wrong
}

const items = (text: string | number | undefined): string[] =>
  String(text ?? '')
    .split(/[\s,]+/)
    .filter((item) => item !== '')
