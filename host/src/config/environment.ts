import { DocumentLimits, defaultRates, MailLimits, NotificationLimits, ReportLimits } from '@signed-registry/core'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { defaultApiSettings } from '../api-scope.js'
import { defaultConnectionsPerAddress } from '../limits/connection-limit.js'
import { DIGEST_OIDS, RENEWAL_DIGEST_OIDS } from './digests.js'

const text = (description: string, pattern = '.') => Type.String({ pattern, description })
const list = (description: string, item: string) => text(description, `^\\s*${item}([\\s,]+${item})*[\\s,]*$`)
const word = <const W extends string[]>(words: [...W], byDefault: W[number]) =>
  Type.Enum(words, { description: `one of ${words.join(', ')}`, default: byDefault })
const integer = (description: string, minimum: number, maximum: number, byDefault: number) =>
  Type.Integer({ minimum, maximum, description, default: byDefault })
const bytes = (byDefault: number) => integer('a number of bytes, at least 1024', 1024, 2 ** 50, byDefault)
const perMinute = (byDefault: number) => integer('requests in a minute, 0 for no limit', 0, 2 ** 31, byDefault)
const perHour = (what: string, byDefault: number, none = 'no limit') =>
  integer(`${what} in an hour, 0 for ${none}`, 0, 2 ** 31, byDefault)
const bytesPerMinute = (byDefault: number) => integer('bytes in a minute, 0 for no limit', 0, 2 ** 50, byDefault)
const networks = () => list('addresses or networks such as 10.0.0.0/24, separated by commas', '[0-9a-fA-F.:/]+')
const RENEWAL_DIGEST = `(${Object.keys(RENEWAL_DIGEST_OIDS).join('|')}|[0-2](\\.[0-9]{1,9})+)`
const httpUrl = () => text('an address that begins with http:// or https://', '^https?://[^\\s]+$')

/**
 * Environment variables of the stock host; docs/configuration.md lists the same in a table. `description` completes
 * the sentence "VARIABLE takes …"; a variable without `default` is optional, or its default depends on others.
 */
export const Environment = Type.Object({
  REGISTRY_CONFIG: Type.Optional(text('a file')),
  DATABASE_URL: Type.Optional(
    text('sqlite:PATH or mysql://user:password@host:port/name', '^(sqlite:.+|mysql://[^\\s]+)$'),
  ),
  DATABASE_READ_URL: Type.Optional(text('mysql://user:password@host:port/name', '^mysql://[^\\s]+$')),
  ENVIRONMENT_FILE: Type.Optional(text('a file with lines NAME=value')),
  DATA_DIR: Type.String({ minLength: 1, description: 'a folder', default: './data' }),
  HOST: Type.String({ minLength: 1, description: 'an address of this machine', default: '127.0.0.1' }),
  WORKERS: Type.Optional(Type.Integer({ minimum: 1, maximum: 64, description: 'a number of processes, from 1 to 64' })),
  DRAIN_SECONDS: integer('seconds, 60 at most, 0 for none', 0, 60, 0),
  PORT: integer('a port number, 0 for any free one', 0, 65_535, 8080),
  ARCHIVE_DIR: Type.Optional(text('a folder')),
  ARCHIVE_RESERVE: integer('a number of bytes, 0 for none', 0, 2 ** 50, 2 ** 30),
  ARCHIVE_URL: Type.Optional(text('s3://key:secret@host/bucket', '^s3://[^\\s]+$')),
  ARCHIVE_KEYS: Type.Optional(
    list(
      'keys such as NAME:BASE64, 32 bytes each (openssl rand -base64 32), separated by commas',
      '[A-Za-z0-9_-]{1,32}:[A-Za-z0-9+/]{43}=',
    ),
  ),
  CLAMD_ADDRESS: Type.Optional(text('the path of a socket, or host:port', '^(unix:)?/.+$|^[^/\\s]+:[0-9]{1,5}$')),
  TLS_CERT: Type.Optional(text('a PEM file')),
  TLS_KEY: Type.Optional(text('a PEM file')),
  BASE_URL: Type.Optional(httpUrl()),
  SITE_NAME: Type.Optional(text('a name of at most 60 characters', '^.{1,60}$')),
  LICENSE_OWNER: Type.Optional(text('BIN and 12 digits', '^BIN[0-9]{12}$')),
  SITE_LOGO: Type.Optional(text('an SVG or PNG file', '\\.(svg|png)$')),
  SITE_STYLE: Type.Optional(text('a CSS file', '\\.css$')),
  SITE_TEXTS: Type.Optional(text('a folder')),
  SITE_SECURITY_CONTACT: Type.Optional(
    list('addresses that begin with mailto:, https:// or tel:, separated by commas', '(mailto:|https://|tel:)[^\\s,]+'),
  ),
  MTLS_BASE_URL: Type.Optional(httpUrl()),
  PEER_URL: Type.Optional(httpUrl()),
  HELD_CALLS: word(['silent', 'spaces'], defaultApiSettings.heldCalls),
  TRUST_ANCHORS: Type.Optional(text('a PEM or DER file, or a folder of them')),
  TRUSTED_RESPONDERS: Type.Optional(text('a PEM or DER file, or a folder of them')),
  DEV_AUTHORITIES: Type.Optional(Type.Enum(['yes'], { description: 'yes' })),
  TSP_URL: Type.Optional(httpUrl()),
  OCSP_URL: Type.Optional(httpUrl()),
  OCSP_ALLOWED_HOSTS: Type.Optional(text('host names, separated by commas', '^[A-Za-z0-9.:,\\s\\[\\]-]+$')),
  STATUS_BY_CRLS: word(['on', 'off'], 'off'),
  ALGORITHMS: Type.Optional(text('etsi, or a file with a catalogue of algorithms (RFC 5698 or ETSI TS 119 322)')),
  WEBHOOK_ADDRESSES: word(['public', 'any'], 'public'),
  WEBHOOK_PORTS: Type.String({
    pattern: '^\\s*(any|[0-9]{1,5}([\\s,]+[0-9]{1,5})*[\\s,]*)\\s*$',
    description: 'port numbers, separated by commas, or any',
    default: '443,80',
  }),
  WEBHOOK_SUCCESS: word(['200', '2xx'], '200'),
  SMTP_URL: Type.Optional(
    text('smtps://user:password@host:465 or smtp://user:password@host:587', '^smtps?://[^\\s/]+(/?\\?tls=off)?/?$'),
  ),
  MAIL_FROM: Type.Optional(
    text('an address, or Name <address>', '^[^\\r\\n<>]*(<[^\\s@<>]+@[^\\s@<>]+>|[^\\s@<>]+@[^\\s@<>]+)$'),
  ),
  MAIL_RETURN_PATH: Type.Optional(text('an address', '^[^\\s@<>]+@[^\\s@<>]+$')),
  MAIL_BOUNCES: Type.Optional(text('a Maildir')),
  MAIL_LANGUAGE: Type.Optional(
    text('ru, kk, en, or several joined by / such as kk/ru', '^(ru|kk|en)(/(ru|kk|en)){0,2}$'),
  ),
  OPERATOR_EMAIL: Type.Optional(list('addresses, separated by commas', '[^\\s@<>,]+@[^\\s@<>,]+')),
  MAIL_ATTACHMENT_LIMIT: integer(
    'a number of bytes, 0 for no attachments',
    0,
    50 * 2 ** 20,
    MailLimits.defaults.mailAttachment,
  ),
  MAIL_PER_HOUR: perHour('mails', NotificationLimits.defaults.mailsPerHour),
  MAIL_NEW_PER_HOUR: perHour('addresses', NotificationLimits.defaults.newRecipientsPerHour),
  MAIL_NEW_SIGNER_PER_HOUR: perHour('addresses', NotificationLimits.defaults.newSignersRecipientsPerHour),
  MAIL_STRANGER_PER_HOUR: perHour('mails', NotificationLimits.defaults.strangerMailsPerHour),
  MAIL_STRANGERS_PER_HOUR: perHour('mails', NotificationLimits.defaults.strangersMailsPerHour),
  MAIL_PER_RECIPIENT: perHour('mails', NotificationLimits.defaults.mailsPerRecipientPerHour),
  MAIL_BUDGETS: Type.Optional(
    list(
      'organizations and mails in an hour such as BIN123456789012=5000, separated by commas',
      'BIN[0-9]{12}=[1-9][0-9]{0,8}',
    ),
  ),
  MAIL_PER_SECOND: integer('mails in a second, 0 for no limit', 0, 1000, 0),
  MAIL_DKIM_DOMAIN: Type.Optional(text('a domain', '^[A-Za-z0-9.-]+$')),
  MAIL_DKIM_SELECTOR: Type.Optional(text('a selector', '^[A-Za-z0-9._-]+$')),
  MAIL_DKIM_KEY: Type.Optional(text('a PEM file with an RSA key')),
  WEBHOOK_TLS_CERT: Type.Optional(text('a PEM file')),
  WEBHOOK_TLS_KEY: Type.Optional(text('a PEM file')),
  VEHICLE_REGISTRATION_URL: Type.Optional(text('an address that begins with https://', '^https://[^\\s]+$')),
  VEHICLE_REGISTRATION_TLS_CERT: Type.Optional(text('a PEM file')),
  VEHICLE_REGISTRATION_TLS_KEY: Type.Optional(text('a PEM file')),
  VEHICLE_REGISTRATION_TRUST: Type.Optional(text('a PEM file')),
  VEHICLE_REGISTRATION_CATALOGUE: Type.Optional(text('a JSON file')),
  GOV_QR_RELAY_URL: Type.Optional(httpUrl()),
  GOV_QR_RELAY_TLS_CERT: Type.Optional(text('a PEM file')),
  GOV_QR_RELAY_TLS_KEY: Type.Optional(text('a PEM file')),
  GOV_QR_RELAY_TRUST: Type.Optional(text('a PEM file')),
  SCHEDULES: Type.Optional(
    text(
      'tasks and cron expressions such as failOverdueItems=0 3 * * *, separated by semicolons',
      '^[^=;]+=[^=;]+(;[^=;]+=[^=;]+)*;?$',
    ),
  ),
  CHECK_MINUTES: integer('minutes up to 1440, 0 for never', 0, 1440, 10),
  LOG: word(['on', 'off'], 'on'),
  LOG_KEY: Type.Optional(text('a PEM file with an Ed25519 key')),
  LOG_ORIGIN: Type.Optional(
    text('a name such as registry.example/log, of at most 200 characters', '^[!-*,-~]{1,200}$'),
  ),
  LOG_TSP_URL: Type.Optional(httpUrl()),
  LOG_WITNESSES: Type.Optional(text('a file with a policy (C2SP tlog-policy)')),
  LOG_WITNESS_FOR: Type.Optional(text('a file with the log lines of a policy (C2SP tlog-policy)')),
  LOG_WITNESS_KEY: Type.Optional(text('a PEM file with an Ed25519 key')),
  RENEWAL: word(['on', 'off'], 'on'),
  RENEWAL_TSP_URL: Type.Optional(httpUrl()),
  RENEWAL_DAYS: integer('days, 1 to 3650', 1, 3650, 90),
  RENEWAL_DIGESTS: Type.String({
    pattern: `^\\s*${RENEWAL_DIGEST}([\\s,]+${RENEWAL_DIGEST})*[\\s,]*$`,
    description: `digests, separated by commas: ${Object.keys(RENEWAL_DIGEST_OIDS).join(', ')}, or OIDs`,
    default: 'sha512,sha3-512',
  }),
  LOG_LEVEL: word(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  VERIFICATION_THREAD: word(['auto', 'off'], 'auto'),
  ERRORS_STATUS: word(['semantic', 'always-200'], defaultApiSettings.errorsStatus),
  JSON_BODY_LIMIT: bytes(defaultApiSettings.limits.json),
  UPLOAD_LIMIT: bytes(defaultApiSettings.limits.upload),
  MEMORY_LIMIT: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2 ** 50, description: 'a number of bytes, 0 for no limit' }),
  ),
  MTLS_PORT: Type.String({
    pattern: '^(off|[0-9]{1,5})$',
    description: 'a port number, 0 for any free one, or off',
    default: '8443',
  }),
  SESSION_SECRET: Type.Optional(list('secrets of at least 32 characters, separated by commas', '[^\\s,]{32,}')),
  LOGIN_CERTIFICATES: word(['any', 'authentication'], 'any'),
  STATEMENT_KEY: Type.Optional(text('a PEM file with an Ed25519 key')),
  STAMPED_REPORTS_PER_HOUR: perHour('reports', ReportLimits.defaults.stampedReportsPerHour, 'none'),
  CORS_ORIGINS: Type.Optional(
    list('origins such as https://portal.example, separated by commas', 'https?://[^\\s,/]+'),
  ),
  METRICS_ADDRESSES: Type.Optional(networks()),
  UNIQUE_BIN: word(['on', 'off'], 'off'),
  CORS_ANONYMOUS: word(['on', 'off'], 'on'),
  TRUSTED_PROXIES: Type.Optional(networks()),
  CLIENT_CERTIFICATE_HEADER: Type.Optional(text('the name of a header', '^[A-Za-z0-9-]+$')),
  DIGESTS: Type.Optional(
    text(
      `names of digests, separated by commas: ${Object.keys(DIGEST_OIDS).join(', ')}`,
      `^\\s*(${Object.keys(DIGEST_OIDS).join('|')})([\\s,]+(${Object.keys(DIGEST_OIDS).join('|')}))*\\s*$`,
    ),
  ),
  TEMP_STORAGE_ANONYMOUS: integer('hours, 0 for none', 0, 744, 24),
  INCOMPLETE_RETENTION: integer('days, 0 for ever', 0, 36_500, 30),
  SEARCH_LIMIT: integer('documents, 0 for all', 0, 2 ** 31, DocumentLimits.defaults.searchedDocuments),
  RATE_LIMIT_ANONYMOUS: perMinute(defaultRates.anonymous),
  RATE_LIMIT_CALLER: perMinute(defaultRates.caller),
  RATE_LIMIT_ANONYMOUS_BYTES: bytesPerMinute(defaultRates.anonymousBytes),
  RATE_LIMIT_CALLER_BYTES: bytesPerMinute(defaultRates.callerBytes),
  SHARES: Type.Optional(
    text(
      'shares such as uploads.stranger=64, separated by semicolons; bytes may end in K, M, G or T',
      '^[^=;]+=[^=;]+(;[^=;]+=[^=;]+)*;?\\s*$',
    ),
  ),
  CONNECTIONS_PER_ADDRESS: integer('a number of connections, 0 for any', 0, 2 ** 31, defaultConnectionsPerAddress),
})
export type Environment = Static<typeof Environment>

/** Environment variables as Node gives them. */
export type Variables = Readonly<Record<string, string | undefined>>

/** The items of a list variable, separated by commas or spaces. */
export const items = (value: string | undefined): string[] =>
  (value ?? '').split(/[\s,]+/).filter((item) => item !== '')

/** The message for a malformed variable. Its value may be a secret, and is not shown. */
export function takes(name: string): string {
  const schema = Object.entries(Environment.properties).find(([key]) => key === name)?.[1]
  return `${name}: takes ${schema !== undefined && 'description' in schema ? schema.description : 'something else'}`
}

/** A line for each variable that is malformed: one by one, as the first eight errors of a schema are all that it tells. */
export const malformed = (variables: unknown): string[] =>
  Object.entries(Environment.properties).flatMap(([name, schema]) =>
    Value.Check(Type.Object({ [name]: schema }), variables) ? [] : [takes(name)],
  )

const MIN_LENGTH = 6
const MAX_MISTAKES = 2

/** Variables that look like misspelt ones of ours, each with the one probably meant. */
export function misspelt(variables: Variables): string[] {
  const ours = Object.keys(Environment.properties)
  return Object.keys(variables).flatMap((name) => {
    if (ours.includes(name)) return []
    const meant = ours.find((one) => one.length >= MIN_LENGTH && distance(name.toUpperCase(), one) <= MAX_MISTAKES)
    return meant === undefined ? [] : [`${name}: is no variable of the registry; is ${meant} meant?`]
  })
}

/** The Levenshtein distance between two words; stops counting when it is too large to matter. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_MISTAKES) return MAX_MISTAKES + 1
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced))
    }
    if (Math.min(...next) > MAX_MISTAKES) return MAX_MISTAKES + 1
    row = next
  }
  return row[b.length] ?? 0
}
