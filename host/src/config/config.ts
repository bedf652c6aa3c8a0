import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type ArchiveS3Options, parseArchiveUrl } from '@signed-registry/archive-s3'
import type { ArchiveKey, SignaturePolicy, WebhookPorts } from '@signed-registry/core'
import type { OnlineAuthoritiesOptions } from '@signed-registry/online-authorities'
import { type AlgorithmEvaluations, defaultAlgorithmPolicy } from '@signed-registry/verifier'
import { Value } from 'typebox/value'
import { contradictions } from './contradictions.js'
import type { ChosenPlugins } from './define-config.js'
import { DIGEST_OIDS, renewalDigestsOf } from './digests.js'
import { Environment, items, malformed, misspelt, type Variables } from './environment.js'
import { withEnvironmentFile } from './environment-file.js'
import { type DkimKey, GivenFiles } from './files.js'
import { readShares } from './shares.js'

/** Trust anchors, time-stamping authorities and certificate status services. */
export type Authorities =
  | {
      readonly kind: 'development'
      readonly folder: string
      /** The operator confirmed that they are intended although others can reach the host. */
      readonly isMeant: boolean
    }
  | ({ readonly kind: 'online' } & OnlineAuthoritiesOptions)
  /** Whatever the plugins of a configuration file ask. */
  | { readonly kind: 'plugins' }

/** Where originals are kept. */
type Archive =
  | { readonly kind: 'folder'; readonly folder: string; readonly reserve: number }
  | { readonly kind: 's3'; readonly options: ArchiveS3Options }

/** How mails are sent; 0 a second for as many as the server accepts. */
export type Mail =
  | { readonly kind: 'files'; readonly folder: string; readonly from: string }
  | {
      readonly kind: 'smtp'
      readonly url: string
      readonly from: string
      readonly returnPath: string | undefined
      readonly perSecond: number
      readonly dkim: DkimKey | undefined
    }

/** The configuration of the stock host, validated once. Holds secrets (database password, TLS key, session secrets): never log it. */
export type Config = ReturnType<typeof readConfig>

/** Thrown once, with every wrong variable in its message. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  constructor(
    /** A line for each wrong variable. */
    readonly wrong: readonly string[],
    options?: ErrorOptions,
  ) {
    super(`Wrong configuration:\n  ${wrong.join('\n  ')}`, options)
  }
}

const STOCK: ChosenPlugins = { added: [], without: [] }

/**
 * Reads the configuration; an empty variable is one that is not set. Throws a `ConfigError` that lists everything wrong at once.
 * `loadConfig` also reads a file, whose `settings` count where the environment says nothing.
 */
export function readConfig(ofProcess: Variables, plugins = STOCK, settings: Variables = {}) {
  const unread: string[] = []
  const variables = { ...settings, ...withEnvironmentFile(ofProcess, unread) }
  if (unread.length > 0) throw new ConfigError(unread)
  const known = Object.keys(Environment.properties).filter((name) => variables[name]?.trim())
  const given = Object.fromEntries(known.map((name) => [name, variables[name]]))
  const checked = Value.Convert(Environment, Value.Default(Environment, { ...given }))
  const wrong = malformed(checked)
  wrong.push(...contradictions({ ...awsVariables(variables), ...given }))
  const files = new GivenFiles(given, wrong)
  const tls = files.tls()
  const webhookTls = files.tls('WEBHOOK_TLS')
  const dkim = files.dkim()
  const statementKey = files.statementKey()
  const shares = readShares(given, wrong)
  const vehicleRegistration = files.vehicleRegistration()
  const govQrRelay = files.govQrRelay()
  const logPolicies = files.log()
  const evaluations = files.algorithms()
  files.folder('SITE_TEXTS')
  if (wrong.length > 0) throw new ConfigError([...new Set(wrong)])
  const env = Value.Parse(Environment, checked)
  const config = deepFreeze({
    /** The variables as they were given, to tell later which of them have changed. */
    given,
    /** Warnings for the log: what looks wrong but prevents nothing from working. */
    warnings: [...misspelt(variables), ...statusWarnings(env)],
    ...{ tls, webhookTls, statementKey, shares, vehicleRegistration, govQrRelay },
    mail: mailOf(env, dkim),
    archive: archiveOf(env, variables),
    log: logOf(env, logPolicies),
    renewal: renewalOf(env),
    authorities: authoritiesOf(env, plugins),
    ...settingsOf(env, evaluations),
  })
  // Plugins are not ours to freeze.
  return Object.freeze({ ...config, plugins })
}

const deepFreeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
    Object.values(value).forEach(deepFreeze)
    Object.freeze(value)
  }
  return value
}

/** The usual variables of S3 clients, for what ARCHIVE_URL leaves out. */
const awsVariables = ({ AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION }: Variables) => ({
  AWS_ACCESS_KEY_ID,
  AWS_SECRET_ACCESS_KEY,
  AWS_SESSION_TOKEN,
  AWS_REGION,
})

/** Warns that no certificate status service is configured, which may be an oversight. */
const statusWarnings = (env: Environment): string[] =>
  env.TRUST_ANCHORS === undefined ||
  env.OCSP_URL !== undefined ||
  env.OCSP_ALLOWED_HOSTS !== undefined ||
  env.STATUS_BY_CRLS === 'on'
    ? []
    : ['OCSP_URL: neither it nor OCSP_ALLOWED_HOSTS is set: signatures that bring no OCSP answer along are refused']

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const signaturePolicyOf = (
  env: Environment,
  evaluations: AlgorithmEvaluations | undefined,
): Partial<SignaturePolicy> => ({
  statusByCrls: env.STATUS_BY_CRLS === 'on',
  ...(evaluations && { algorithms: { ...defaultAlgorithmPolicy, evaluations } }),
})

/** What needs no file but a catalogue of algorithms: `undefined` where the registry or the host has its own default. */
const settingsOf = (env: Environment, evaluations: AlgorithmEvaluations | undefined) => ({
  databaseUrl: env.DATABASE_URL ?? `sqlite:${join(env.DATA_DIR, 'registry.sqlite')}`,
  replicaUrl: env.DATABASE_READ_URL,
  dataDir: env.DATA_DIR,
  listen: { host: env.HOST, port: env.PORT },
  /** Processes that serve these ports, when the command line starts the host. */
  workers: env.WORKERS ?? 1,
  /** For so long a host that is stopped goes on serving, and says that it is not ready. */
  drainMs: env.DRAIN_SECONDS * 1000,
  /** The port for information systems. */
  mutualTls: env.MTLS_PORT === 'off' ? undefined : { port: Number(env.MTLS_PORT) },
  /** Public URLs for people, for systems and for other hosts, without a trailing slash. */
  baseUrl: env.BASE_URL?.replace(/\/+$/, ''),
  systemsBaseUrl: env.MTLS_BASE_URL?.replace(/\/+$/, ''),
  peerUrl: env.PEER_URL?.replace(/\/+$/, ''),
  siteName: env.SITE_NAME,
  /** Paths of a logo, a style sheet and texts of the operator; where to report vulnerabilities. */
  look: {
    ...(env.SITE_LOGO !== undefined && { logo: env.SITE_LOGO }),
    ...(env.SITE_STYLE !== undefined && { style: env.SITE_STYLE }),
    ...(env.SITE_TEXTS !== undefined && { texts: env.SITE_TEXTS }),
    ...(env.SITE_SECURITY_CONTACT !== undefined && { securityContacts: items(env.SITE_SECURITY_CONTACT) }),
  },
  /** Keys that encrypt originals, if any; the first one wraps the keys of new ones. */
  archiveKeys: items(env.ARCHIVE_KEYS).map(archiveKeyOf),
  clamdAddress: env.CLAMD_ADDRESS,
  mailLanguage: env.MAIL_LANGUAGE,
  operatorEmail: items(env.OPERATOR_EMAIL),
  mailBudgets: Object.fromEntries(pairs(items(env.MAIL_BUDGETS)).map(([bin, mails]) => [bin, Number(mails)])),
  mailBounces: env.MAIL_BOUNCES,
  webhookAddresses: env.WEBHOOK_ADDRESSES,
  webhookPorts: webhookPortsOf(env),
  /** Choices of how the registry behaves. */
  choices: {
    webhookSuccess: env.WEBHOOK_SUCCESS,
    loginCertificates: env.LOGIN_CERTIFICATES,
    uniqueOrganizations: env.UNIQUE_BIN === 'on',
    signaturePolicy: signaturePolicyOf(env, evaluations),
    ...(env.LICENSE_OWNER !== undefined && { license: { owner: env.LICENSE_OWNER } }),
  },
  schedules: Object.fromEntries(pairs((env.SCHEDULES ?? '').split(';').filter((entry) => entry.trim() !== ''))),
  digests: env.DIGESTS === undefined ? undefined : digestsOf(env.DIGESTS),
  limits: {
    incompleteRetentionMs: env.INCOMPLETE_RETENTION * DAY,
    searchedDocuments: env.SEARCH_LIMIT,
    strangersTempStorageMs: env.TEMP_STORAGE_ANONYMOUS * HOUR,
    ...(!verifiesBeside(env) && { signaturesVerifiedHere: Number.MAX_SAFE_INTEGER }),
    mailAttachment: env.MAIL_ATTACHMENT_LIMIT,
    mailsPerHour: env.MAIL_PER_HOUR,
    newRecipientsPerHour: env.MAIL_NEW_PER_HOUR,
    newSignersRecipientsPerHour: env.MAIL_NEW_SIGNER_PER_HOUR,
    strangerMailsPerHour: env.MAIL_STRANGER_PER_HOUR,
    strangersMailsPerHour: env.MAIL_STRANGERS_PER_HOUR,
    mailsPerRecipientPerHour: env.MAIL_PER_RECIPIENT,
    stampedReportsPerHour: env.STAMPED_REPORTS_PER_HOUR,
    checkEveryMs: env.CHECK_MINUTES * MINUTE,
  },
  /** Empty when the host is to generate its own. */
  sessionSecrets: items(env.SESSION_SECRET),
  logLevel: env.LOG_LEVEL,
  /** Bytes; 0 for no limit, `undefined` for the limit that the machine sets. */
  memoryLimit: env.MEMORY_LIMIT,
  connectionsPerAddress: env.CONNECTIONS_PER_ADDRESS,
  metricsAddresses: items(env.METRICS_ADDRESSES),
  /** Settings of the API, passed to `registryApi` as they are. */
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
})

/** `name=value` of each entry. */
const pairs = (entries: readonly string[]): string[][] =>
  entries.map((entry) => entry.split('=').map((part) => part.trim()))

const webhookPortsOf = ({ WEBHOOK_PORTS: ports }: Environment): WebhookPorts =>
  ports.trim() === 'any' ? 'any' : items(ports).map(Number)

const digestsOf = (names: string): readonly string[] =>
  items(names).flatMap((name) => Object.entries(DIGEST_OIDS).flatMap(([known, oid]) => (known === name ? [oid] : [])))

/** Whether each of several processes has a second processor, for a thread that verifies. */
const verifiesBeside = ({ VERIFICATION_THREAD, WORKERS = 1 }: Environment): boolean =>
  VERIFICATION_THREAD === 'auto' && (WORKERS === 1 || availableParallelism() >= 2 * WORKERS)

/** By SMTP when a server is given, otherwise into files. */
function mailOf({ SMTP_URL: url, MAIL_FROM, DATA_DIR, ...env }: Environment, dkim: DkimKey | undefined): Mail {
  const from = MAIL_FROM ?? 'registry@localhost'
  if (url === undefined) return { kind: 'files', folder: join(DATA_DIR, 'mail'), from }
  return { kind: 'smtp', url, from, returnPath: env.MAIL_RETURN_PATH, perSecond: env.MAIL_PER_SECOND, dkim }
}

const archiveOf = (
  { ARCHIVE_DIR, ARCHIVE_RESERVE: reserve, ARCHIVE_URL, DATA_DIR }: Environment,
  variables: Variables,
): Archive =>
  ARCHIVE_URL === undefined
    ? { kind: 'folder', folder: ARCHIVE_DIR ?? join(DATA_DIR, 'archive'), reserve }
    : { kind: 's3', options: parseArchiveUrl(ARCHIVE_URL, variables) }

/** The log, its keys by their files; `undefined` where none is kept. */
function logOf(env: Environment, policies: ReturnType<GivenFiles['log']>) {
  if (env.LOG === 'off') return undefined
  return {
    keyFile: env.LOG_KEY ?? join(env.DATA_DIR, 'log.key'),
    witnessKeyFile: env.LOG_WITNESS_KEY ?? join(env.DATA_DIR, 'witness.key'),
    origin: env.LOG_ORIGIN,
    tspUrl: env.LOG_TSP_URL,
    ...policies,
  }
}

/** The renewal of evidence; `undefined` where nothing is renewed. */
const renewalOf = ({ RENEWAL, RENEWAL_DAYS: leadDays, RENEWAL_TSP_URL: tspUrl, RENEWAL_DIGESTS }: Environment) =>
  RENEWAL === 'off' ? undefined : { leadDays, tspUrl, digests: renewalDigestsOf(items(RENEWAL_DIGESTS)) }

/** `name:base64`. */
function archiveKeyOf(text: string): ArchiveKey {
  const at = text.indexOf(':')
  return { name: text.slice(0, at), key: Buffer.from(text.slice(at + 1), 'base64') }
}

function authoritiesOf(env: Environment, { without }: ChosenPlugins): Authorities {
  const { TRUST_ANCHORS: trustAnchors, TSP_URL: tspUrl, OCSP_URL: ocspUrl, OCSP_ALLOWED_HOSTS: hosts } = env
  const { TRUSTED_RESPONDERS: trustedResponders } = env
  if (trustAnchors === undefined || tspUrl === undefined) {
    if (without.includes('dev-authorities')) return { kind: 'plugins' }
    return {
      kind: 'development',
      folder: join(env.DATA_DIR, 'dev-authorities'),
      isMeant: env.DEV_AUTHORITIES === 'yes',
    }
  }
  const responders = ocspUrl === undefined ? [] : [new URL(ocspUrl).host]
  return {
    ...{ kind: 'online', trustAnchors, tspUrl, ocspAllowedHosts: hosts ? items(hosts) : responders },
    ...(trustedResponders !== undefined && { trustedResponders }),
    ...(ocspUrl !== undefined && { ocspUrl }),
  }
}
