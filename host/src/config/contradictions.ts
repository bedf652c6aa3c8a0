import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import { archiveS3, parseArchiveUrl } from '@signed-registry/archive-s3'
import { isNetwork } from '@signed-registry/core'
import { digestAlgorithms } from '@signed-registry/verifier'
import { renewalDigestsOf } from './digests.js'
import { items, type Variables } from './environment.js'

const ADDRESSES = ['TSP_URL', 'OCSP_URL', 'LOG_TSP_URL', 'RENEWAL_TSP_URL']
/** Addresses of ours, to which paths are added. */
const BASES = ['BASE_URL', 'MTLS_BASE_URL', 'PEER_URL']

/** Checks across variables, which the pattern of a single one cannot make: one line for each contradiction. */
export function contradictions(env: Variables): string[] {
  return [
    ...database('DATABASE_URL', env.DATABASE_URL),
    ...replica(env),
    ...workers(env),
    ...archive(env),
    ...host(env),
    ...addresses(env),
    ...filesThatAreRead(env),
    ...authorities(env),
    ...callers(env),
    ...ports(env),
    ...mail(env),
    ...log(env),
    ...renewal(env),
  ]
}

function replica({ DATABASE_URL = '', DATABASE_READ_URL: url }: Variables): string[] {
  if (!url) return []
  if (!DATABASE_URL.startsWith('mysql:'))
    return ['DATABASE_READ_URL: SQLite has no replicas; set DATABASE_URL=mysql://…']
  return database('DATABASE_READ_URL', url)
}

function database(name: 'DATABASE_URL' | 'DATABASE_READ_URL', url: string | undefined): string[] {
  if (!url?.startsWith('mysql://')) return []
  const hint = 'write special characters of user and password as %XX (encodeURIComponent)'
  if (!URL.canParse(url)) return [`${name}: is no address; ${hint}`]
  const { hostname, pathname, username, password, search, hash } = new URL(url)
  if (hostname === '') return [`${name}: names no host`]
  if (search !== '' || hash !== '' || pathname.includes('@')) return [`${name}: has a ?, # or @ too many; ${hint}`]
  if (!/^\/[^/]+$/.test(pathname)) return [`${name}: names no database, as in mysql://user:password@host:3306/registry`]
  return [username, password].every(isEncoded) ? [] : [`${name}: user or password cannot be decoded; ${hint}`]
}

function workers({ WORKERS, DATABASE_URL = '', SMTP_URL, MAIL_PER_SECOND }: Variables): string[] {
  const wrong: string[] = []
  const count = Number(WORKERS ?? 1)
  if (count > 1 && !DATABASE_URL.startsWith('mysql:'))
    wrong.push('WORKERS: SQLite is for one process; more of them need DATABASE_URL=mysql://…')
  const perSecond = Number(MAIL_PER_SECOND ?? 0)
  if (SMTP_URL && perSecond > 0 && count > perSecond)
    wrong.push('WORKERS: each sends its part of MAIL_PER_SECOND: there are more workers than mails')
  return wrong
}

function isEncoded(part: string): boolean {
  try {
    return decodeURIComponent(part) !== undefined
  } catch {
    return false
  }
}

function archive({ ARCHIVE_DIR, ARCHIVE_URL, ARCHIVE_KEYS, ...env }: Variables): string[] {
  const wrong =
    ARCHIVE_DIR && ARCHIVE_URL ? ['ARCHIVE_DIR: originals are kept there or at ARCHIVE_URL, not at both'] : []
  const names = items(ARCHIVE_KEYS).map((key) => key.split(':')[0])
  if (new Set(names).size < names.length) wrong.push('ARCHIVE_KEYS: two keys have one name')
  try {
    if (ARCHIVE_URL) archiveS3(parseArchiveUrl(ARCHIVE_URL, env))
  } catch (error) {
    wrong.push(`ARCHIVE_URL: ${error instanceof Error ? error.message : error}`)
  }
  return wrong
}

const host = ({ HOST }: Variables): string[] =>
  HOST && !URL.canParse(`http://${HOST.includes(':') ? `[${HOST}]` : HOST}`)
    ? [`HOST: is no address of a machine: ${HOST}`]
    : []

const addresses = (env: Variables): string[] =>
  [...BASES, ...ADDRESSES].flatMap((name) => {
    const address = env[name]
    if (!address || !/^https?:/.test(address)) return []
    // It may have a password, and is not shown.
    if (!URL.canParse(address)) return [`${name}: is no address`]
    if (!BASES.includes(name)) return []
    const { username, password } = new URL(address)
    if (username !== '' || password !== '') return [`${name}: takes an address without a user: it stands in links`]
    return /[?#]/.test(address) ? [`${name}: takes an address without ? and #, since paths are added to it`] : []
  })

const READ = ['TRUST_ANCHORS', 'TRUSTED_RESPONDERS', 'SITE_LOGO', 'SITE_STYLE']

const filesThatAreRead = (env: Variables): string[] => READ.flatMap((name) => unreadable(name, env[name]))

function unreadable(name: string, path: string | undefined): string[] {
  if (!path) return []
  try {
    if (statSync(path).isDirectory()) readdirSync(path)
    else accessSync(path, constants.R_OK)
    return []
  } catch (error) {
    return [`${name}: cannot be read: ${error instanceof Error ? error.message : error}`]
  }
}

function authorities(env: Variables): string[] {
  if (env.TRUST_ANCHORS)
    return env.TSP_URL ? [] : ['TSP_URL: TRUST_ANCHORS needs the time-stamping authority that goes with them']
  return ['TSP_URL', 'OCSP_URL', 'OCSP_ALLOWED_HOSTS', 'TRUSTED_RESPONDERS', 'LOG_TSP_URL', 'RENEWAL_TSP_URL']
    .filter((name) => env[name])
    .map((name) => `${name}: needs TRUST_ANCHORS (development authorities answer for themselves)`)
}

function ports({ WEBHOOK_PORTS, CLAMD_ADDRESS }: Variables): string[] {
  const isNone = (port: string) => /^\d+$/.test(port) && (Number(port) < 1 || Number(port) > 65_535)
  const wrong = items(WEBHOOK_PORTS).filter(isNone)
  const ofClamd = CLAMD_ADDRESS?.includes('/') ? [] : (CLAMD_ADDRESS?.split(':').slice(1) ?? []).filter(isNone)
  return [
    ...wrong.map((port) => `WEBHOOK_PORTS: ${port} is no port`),
    ...ofClamd.map((port) => `CLAMD_ADDRESS: ${port} is no port`),
  ]
}

function callers(env: Variables): string[] {
  const wrong: string[] = []
  if (Number(env.MTLS_PORT) > 65_535) wrong.push('MTLS_PORT: takes a port number, 0 for any free one, or off')
  for (const origin of items(env.CORS_ORIGINS)) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) wrong.push(`CORS_ORIGINS: ${origin} is no origin`)
  }
  for (const name of ['TRUSTED_PROXIES', 'METRICS_ADDRESSES'] as const) {
    for (const network of items(env[name]))
      if (!isNetwork(network)) wrong.push(`${name}: ${network} is no address and no network`)
  }
  if (env.CLIENT_CERTIFICATE_HEADER && !env.TRUSTED_PROXIES)
    wrong.push('CLIENT_CERTIFICATE_HEADER: needs TRUSTED_PROXIES, the only ones it is believed from')
  return wrong
}

function mail({ SMTP_URL, MAIL_FROM }: Variables): string[] {
  if (!SMTP_URL) return []
  const wrong = MAIL_FROM ? [] : ['MAIL_FROM: SMTP_URL needs the address that mail comes from']
  if (!URL.canParse(SMTP_URL))
    return [...wrong, 'SMTP_URL: is no address; write special characters of user and password as %XX']
  const { username, password, searchParams } = new URL(SMTP_URL)
  if (![username, password].every(isEncoded)) wrong.push('SMTP_URL: user or password cannot be decoded')
  if (username !== '' && searchParams.get('tls') === 'off')
    wrong.push('SMTP_URL: a password is never sent without TLS: leave tls=off out, or the user')
  return wrong
}

const LOG = ['LOG_KEY', 'LOG_ORIGIN', 'LOG_TSP_URL', 'LOG_WITNESSES', 'LOG_WITNESS_FOR', 'LOG_WITNESS_KEY']

function log(env: Variables): string[] {
  if (env.LOG === 'off') return LOG.filter((name) => env[name]).map((name) => `${name}: needs LOG=on`)
  return env.LOG_WITNESS_KEY && !env.LOG_WITNESS_FOR
    ? ['LOG_WITNESS_KEY: needs LOG_WITNESS_FOR, the logs that it cosigns']
    : []
}

const RENEWAL = ['RENEWAL_TSP_URL', 'RENEWAL_DAYS', 'RENEWAL_DIGESTS']

function renewal(env: Variables): string[] {
  if (env.RENEWAL === 'off') return RENEWAL.filter((name) => env[name]).map((name) => `${name}: needs RENEWAL=on`)
  return renewalDigestsOf(items(env.RENEWAL_DIGESTS))
    .filter((wanted) => !digestAlgorithms.some(({ oid, trusted }) => trusted && oid === wanted))
    .map((wanted) => `RENEWAL_DIGESTS: ${wanted} is no digest that is known and trusted`)
}
