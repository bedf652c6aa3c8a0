import { join } from 'node:path'
import { type ArchiveS3Options, parseArchiveUrl } from '@signed-registry/archive-s3'
import type {
  ArchiveKey,
  GivenShares,
  MailBudgets,
  RegistryLimits,
  Schedules,
  WebhookAddresses,
  WebhookPorts,
} from '@signed-registry/core'
import type { GovQrRelayOptions } from '@signed-registry/gov-qr-relay'
import type { VehicleRegistrationOptions } from '@signed-registry/vehicle-registration'
import { Value } from 'typebox/value'
import type { ApiSettings } from '../api-scope.js'
import type { RateSettings } from '../limits/rates.js'
import type { ProxySettings } from '../mutual-tls/proxies.js'
import { type Choices, choicesOf, statusWarnings } from './choices.js'
import { contradictions } from './contradictions.js'
import { deepFreeze } from './deep-freeze.js'
import { DIGEST_OIDS } from './digests.js'
import { type DkimKey, readDkimKey } from './dkim-key.js'
import { Environment, items, misspelt, takes, type Variables } from './environment.js'
import { govQrRelayOf } from './gov-qr-relay.js'
import { type Mail, mailBudgetsOf, mailOf } from './mail.js'
import { schedulesOf } from './schedules.js'
import { readShares } from './shares.js'
import { readStatementKey } from './statement-key.js'
import { readTlsFiles, type TlsFiles } from './tls-files.js'
import { vehicleRegistrationOf } from './vehicle-registration.js'

/** Who is trusted, and who stamps and answers for certificates. */
export type Authorities =
  | {
      readonly kind: 'development'
      readonly folder: string
      /** Somebody said that they are meant, where others can reach the host. */
      readonly isMeant: boolean
    }
  | {
      readonly kind: 'online'
      /** PEM or DER file, or a folder of them. */
      readonly trustAnchors: string
      /** Certificates of responders that are trusted to answer about every certificate; a file or folder as well. */
      readonly trustedResponders: string | undefined
      readonly tspUrl: string
      readonly ocspUrl: string | undefined
      readonly ocspAllowedHosts: readonly string[]
    }

/** Where originals are kept. */
export type Archive =
  | { readonly kind: 'folder'; readonly folder: string; readonly reserve: number }
  | { readonly kind: 's3'; readonly options: ArchiveS3Options }

/** Everything the stock host is told from outside, checked once. Holds secrets (database password, TLS key, session secrets): never log it. */
export interface Config {
  /** What looks wrong but keeps nothing from working; for the log. */
  readonly warnings: readonly string[]
  readonly databaseUrl: string
  readonly dataDir: string
  readonly listen: { readonly host: string; readonly port: number }
  readonly tls: TlsFiles | undefined
  /** Port for information systems. */
  readonly mutualTls: { readonly port: number } | undefined
  /** Address used in links, without a slash at its end. */
  readonly baseUrl: string | undefined
  /** Name of the service on pages, in mails and on cards; its host unless given. */
  readonly siteName: string | undefined
  /** How pages look: paths of a logo and of a style sheet. */
  readonly look: { readonly logo?: string; readonly style?: string }
  /** The same for information systems. */
  readonly systemsBaseUrl: string | undefined
  /** Where the other hosts of this registry reach this one. */
  readonly peerUrl: string | undefined
  readonly authorities: Authorities
  readonly archive: Archive
  /** Encrypt what is kept, unless there are none; the first wraps what comes. */
  readonly archiveKeys: readonly ArchiveKey[]
  /** Of the ClamAV daemon that scans what goes out. */
  readonly clamdAddress: string | undefined
  readonly mail: Mail
  /** Of mails to people who named none; `undefined` for that of core. */
  readonly mailLanguage: string | undefined
  readonly mailBudgets: MailBudgets
  /** Maildir of reports of mails that did not arrive. */
  readonly mailBounces: string | undefined
  /** Where the webhooks of organizations may lead. */
  readonly webhookAddresses: WebhookAddresses
  /** Ports that they may lead to. */
  readonly webhookPorts: WebhookPorts
  readonly choices: Choices
  /** Shown to receivers of webhooks that ask for a certificate. */
  readonly webhookTls: TlsFiles | undefined
  /** The authority that documents are forwarded to, if there is one. */
  readonly vehicleRegistration: VehicleRegistrationOptions | undefined
  /** The service by which the mobile application comes, where it does not come here. */
  readonly govQrRelay: GovQrRelayOptions | undefined
  readonly schedules: Schedules
  /** OIDs of the digests that every original is hashed with; `undefined` for those of the stock host. */
  readonly digests: readonly string[] | undefined
  /** Limits of the registry that differ from its own. */
  readonly limits: Partial<RegistryLimits>
  /** Shares that differ from the defaults. */
  readonly shares: GivenShares
  /** Empty where the host is to make its own. */
  readonly sessionSecrets: readonly string[]
  /** PEM; `undefined` where the host is to make its own. */
  readonly statementKey: string | undefined
  /** Connections that one address may have open; 0 for any number. */
  readonly connectionsPerAddress: number
  /** Who may read `/metrics`, beside this machine. */
  readonly metricsAddresses: readonly string[]
  /** Bytes; 0 for no limit, `undefined` for that of the machine. */
  readonly memoryLimit: number | undefined
  readonly logLevel: Environment['LOG_LEVEL']
  /** How the API treats requests and callers: goes to `registryApi` as it is. */
  readonly api: Pick<ApiSettings, 'errorsStatus' | 'heldCalls' | 'limits'> & {
    readonly corsOrigins: readonly string[]
    readonly corsAnonymous: boolean
    readonly proxies: ProxySettings
    readonly rates: RateSettings
  }
}

/** Thrown once, with every wrong variable in its message. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  constructor(wrong: readonly string[], options?: ErrorOptions) {
    super(`Wrong configuration:\n  ${wrong.join('\n  ')}`, options)
  }
}

/** Reads the configuration; an empty variable is one that is not set. Throws a `ConfigError` that lists everything wrong at once. */
export function readConfig(variables: Variables): Config {
  const known = Object.keys(Environment.properties).filter((name) => variables[name]?.trim())
  const given = Object.fromEntries(known.map((name) => [name, variables[name]]))
  const checked = Value.Convert(Environment, Value.Default(Environment, { ...given }))
  const wrong = [...Value.Errors(Environment, checked)].map(({ instancePath }) => takes(instancePath.slice(1)))
  wrong.push(...contradictions({ ...awsVariables(variables), ...given }))
  const tls = readTlsFiles(given, wrong)
  const webhookTls = readTlsFiles(given, wrong, 'WEBHOOK_TLS')
  const dkim = readDkimKey(given, wrong)
  const statementKey = readStatementKey(given, wrong)
  const shares = readShares(given, wrong)
  const vehicleRegistration = vehicleRegistrationOf(given, wrong)
  const govQrRelay = govQrRelayOf(given, wrong)
  if (wrong.length > 0) throw new ConfigError([...new Set(wrong)])
  const env = Value.Parse(Environment, checked)
  return deepFreeze({
    warnings: [...misspelt(variables), ...statusWarnings(env)],
    ...configOf(env, variables, {
      files: { tls, webhookTls, vehicleRegistration, govQrRelay },
      dkim,
    }),
    statementKey,
    shares,
  })
}

/** The usual variables of S3 clients, for what ARCHIVE_URL leaves out. */
const awsVariables = ({ AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION }: Variables) => ({
  AWS_ACCESS_KEY_ID,
  AWS_SECRET_ACCESS_KEY,
  AWS_SESSION_TOKEN,
  AWS_REGION,
})

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

function configOf(
  env: Environment,
  given: Variables,
  {
    files,
    dkim,
  }: { files: Pick<Config, 'tls' | 'webhookTls' | 'vehicleRegistration' | 'govQrRelay'>; dkim: DkimKey | undefined },
): Omit<Config, 'warnings' | 'statementKey' | 'shares'> {
  return {
    databaseUrl: env.DATABASE_URL ?? `sqlite:${join(env.DATA_DIR, 'registry.sqlite')}`,
    ...files,
    dataDir: env.DATA_DIR,
    listen: { host: env.HOST, port: env.PORT },
    mutualTls: env.MTLS_PORT === 'off' ? undefined : { port: Number(env.MTLS_PORT) },
    baseUrl: env.BASE_URL?.replace(/\/+$/, ''),
    siteName: env.SITE_NAME,
    look: {
      ...(env.SITE_LOGO !== undefined && { logo: env.SITE_LOGO }),
      ...(env.SITE_STYLE !== undefined && { style: env.SITE_STYLE }),
    },
    peerUrl: env.PEER_URL?.replace(/\/+$/, ''),
    systemsBaseUrl: env.MTLS_BASE_URL?.replace(/\/+$/, ''),
    authorities: authoritiesOf(env),
    archive: archiveOf(env, given),
    archiveKeys: items(env.ARCHIVE_KEYS).map(archiveKeyOf),
    clamdAddress: env.CLAMD_ADDRESS,
    mail: mailOf(env, dkim),
    mailLanguage: env.MAIL_LANGUAGE,
    mailBudgets: mailBudgetsOf(env.MAIL_BUDGETS),
    mailBounces: env.MAIL_BOUNCES,
    webhookAddresses: env.WEBHOOK_ADDRESSES,
    webhookPorts: env.WEBHOOK_PORTS.trim() === 'any' ? 'any' : items(env.WEBHOOK_PORTS).map(Number),
    choices: choicesOf(env),
    schedules: schedulesOf(env.SCHEDULES),
    digests: env.DIGESTS === undefined ? undefined : digestsOf(env.DIGESTS),
    limits: {
      incompleteRetentionMs: env.INCOMPLETE_RETENTION * DAY,
      searchedDocuments: env.SEARCH_LIMIT,
      strangersTempStorageMs: env.TEMP_STORAGE_ANONYMOUS * HOUR,
      ...(env.VERIFICATION_THREAD === 'off' && { signaturesVerifiedHere: Number.MAX_SAFE_INTEGER }),
      mailAttachment: env.MAIL_ATTACHMENT_LIMIT,
      mailsPerHour: env.MAIL_PER_HOUR,
      newRecipientsPerHour: env.MAIL_NEW_PER_HOUR,
      newSignersRecipientsPerHour: env.MAIL_NEW_SIGNER_PER_HOUR,
      strangerMailsPerHour: env.MAIL_STRANGER_PER_HOUR,
      strangersMailsPerHour: env.MAIL_STRANGERS_PER_HOUR,
      mailsPerRecipientPerHour: env.MAIL_PER_RECIPIENT,
      stampedReportsPerHour: env.STAMPED_REPORTS_PER_HOUR,
    },
    sessionSecrets: items(env.SESSION_SECRET),
    logLevel: env.LOG_LEVEL,
    memoryLimit: env.MEMORY_LIMIT,
    connectionsPerAddress: env.CONNECTIONS_PER_ADDRESS,
    metricsAddresses: items(env.METRICS_ADDRESSES),
    api: {
      errorsStatus: env.ERRORS_STATUS,
      heldCalls: env.HELD_CALLS,
      limits: { json: env.JSON_BODY_LIMIT, upload: env.UPLOAD_LIMIT },
      corsOrigins: items(env.CORS_ORIGINS),
      corsAnonymous: env.CORS_ANONYMOUS === 'on',
      proxies: {
        trusted: items(env.TRUSTED_PROXIES),
        certificateHeader: env.CLIENT_CERTIFICATE_HEADER?.toLowerCase(),
      },
      rates: {
        anonymous: env.RATE_LIMIT_ANONYMOUS,
        caller: env.RATE_LIMIT_CALLER,
        anonymousBytes: env.RATE_LIMIT_ANONYMOUS_BYTES,
        callerBytes: env.RATE_LIMIT_CALLER_BYTES,
      },
    },
  }
}

const digestsOf = (names: string): readonly string[] =>
  items(names).flatMap((name) => Object.entries(DIGEST_OIDS).flatMap(([known, oid]) => (known === name ? [oid] : [])))

const archiveOf = (
  { ARCHIVE_DIR, ARCHIVE_RESERVE: reserve, ARCHIVE_URL, DATA_DIR }: Environment,
  variables: Variables,
): Archive =>
  ARCHIVE_URL === undefined
    ? { kind: 'folder', folder: ARCHIVE_DIR ?? join(DATA_DIR, 'archive'), reserve }
    : { kind: 's3', options: parseArchiveUrl(ARCHIVE_URL, variables) }

/** `name:base64`. */
function archiveKeyOf(text: string): ArchiveKey {
  const at = text.indexOf(':')
  return { name: text.slice(0, at), key: Buffer.from(text.slice(at + 1), 'base64') }
}

function authoritiesOf(env: Environment): Authorities {
  const { TRUST_ANCHORS: trustAnchors, TSP_URL: tspUrl, OCSP_URL: ocspUrl, OCSP_ALLOWED_HOSTS: hosts } = env
  const { TRUSTED_RESPONDERS: trustedResponders } = env
  if (trustAnchors === undefined || tspUrl === undefined)
    return {
      kind: 'development',
      folder: join(env.DATA_DIR, 'dev-authorities'),
      isMeant: env.DEV_AUTHORITIES === 'yes',
    }
  const responders = ocspUrl === undefined ? [] : [new URL(ocspUrl).host]
  const ocspAllowedHosts = hosts ? items(hosts) : responders
  return { kind: 'online', trustAnchors, trustedResponders, tspUrl, ocspUrl, ocspAllowedHosts }
}
