import type { Knex } from 'knex'
import type { AuditLimits } from './audit/index.js'
import { type AuthenticationLimits, LoginCertificates } from './auth/index.js'
import type { CardLimits } from './cards/index.js'
import { checkedCalls } from './check-calls.js'
import { coreAreas } from './core-areas.js'
import { DatabasePool } from './database/database.js'
import { DatabaseNotUsable, migrate, migrationsOf } from './database/migrate.js'
import { openDatabase } from './database/open.js'
import { Replica } from './database/replica.js'
import { taskLeases } from './database/task-leases.js'
import { DeliveryTimes, DeliveryWorkers, defaultDeliveryTimes } from './deliveries/index.js'
import { ConfiguredDigests, type DocumentLimits, UniqueOrganizations } from './documents/index.js'
import type { EvidenceLimits } from './evidence/index.js'
import type { IdempotencyLimits } from './idempotency/index.js'
import { Clock } from './kernel/clock.js'
import { type Composition, compose, type RegisteredOperation } from './kernel/compose.js'
import { type GivenLimits, type Limits, LimitsPort, provideLimits } from './kernel/limits.js'
import { Logger, standardLogger } from './kernel/logger.js'
import type { Part } from './kernel/part.js'
import type { Plugin } from './kernel/plugin.js'
import { ReadinessChecks, type ReadinessReport } from './kernel/readiness.js'
import { Schedule, Schedules, TaskGuard } from './kernel/schedule.js'
import { provideValue } from './kernel/service.js'
import { Site } from './kernel/site.js'
import { type GivenShares, Shares, sharesOf } from './ledger/index.js'
import { type LogOptions, LogSettings, LogWorker, logSettingsOf, requireOwnKeys } from './log/index.js'
import { MailLanguage, type MailLimits, OperatorAddresses } from './mail/index.js'
import { MailBudgets, mailBudgetsOf, type NotificationLimits } from './notifications/index.js'
import { type OrganizationLimits, WebhookAddresses, WebhookPorts } from './organizations/index.js'
import type { OriginalLimits } from './originals/index.js'
import type { PackageLimits } from './packages/index.js'
import { type ProcedureLimits, Relays } from './procedures/index.js'
import { type RenewalOptions, RenewalSettings, RenewEvidence, renewalSettingsOf } from './renewal/index.js'
import { type ReportLimits, readStatementKey, StatementKey } from './reports/index.js'
import type { RoutingLimits } from './routing/index.js'
import type { ArchiveLimits } from './settings/index.js'
import { defaultSignaturePolicy, type SignatureLimits, SignaturePolicy } from './signatures/index.js'
import { License, licenseOf, type StatusLimits } from './status/index.js'
import type { TemplateLimits } from './templates/index.js'
import type { VehicleLimits } from './vehicle-registration/index.js'
import { WebhookSuccess } from './webhooks/index.js'

/** Limits of sizes, counts and times, of all areas together (specification, "Limits"). */
export type RegistryLimits = Limits &
  ArchiveLimits &
  AuthenticationLimits &
  AuditLimits &
  CardLimits &
  DocumentLimits &
  EvidenceLimits &
  IdempotencyLimits &
  MailLimits &
  NotificationLimits &
  OrganizationLimits &
  OriginalLimits &
  PackageLimits &
  ProcedureLimits &
  ReportLimits &
  RoutingLimits &
  SignatureLimits &
  StatusLimits &
  TemplateLimits &
  VehicleLimits

/** What `createRegistry` takes. */
export interface RegistryOptions {
  /** `sqlite:PATH`, `mysql://user:password@host:port/name`, or a Knex instance of your own, which stays yours to close. */
  readonly database: string | Knex
  /**
   * `mysql://…` of a replica of MariaDB, for lists and searches: it is read only when it has all that `database`, a server
   * of MariaDB with a binary log, has committed.
   */
  readonly replica?: string | undefined
  /** Plugins, in order; together they must provide every required port. */
  readonly plugins: readonly Plugin[]
  /** Limits that differ from the defaults; an unknown name is a `TypeError`. */
  readonly limits?: Partial<RegistryLimits>
  /** Shares of resources that differ from `defaultShares`. */
  readonly shares?: GivenShares
  /** OIDs of the digest algorithms for every original, or by its size; SHA-256 unless given. */
  readonly digests?: readonly string[] | ConfiguredDigests
  /** BIN of the operator and the end of its licence, for `GET /api/version`; none unless given. */
  readonly license?: Partial<License>
  readonly clock?: Clock
  /** Receives warnings and errors of background work; standard error unless given. */
  readonly logger?: Logger
  /** Address and name of the service in links, mails and cards; an address of this machine unless given. */
  readonly site?: Site
  /** Cron expressions by task name; each task has a default. */
  readonly schedules?: Schedules
  /** Times of deliveries that differ from `defaultDeliveryTimes`. */
  readonly deliveryTimes?: Partial<DeliveryTimes>
  /** Algorithms that are trusted and signers that are accepted, where they differ from `defaultSignaturePolicy`. */
  readonly signaturePolicy?: Partial<SignaturePolicy>
  /** Languages of mails to people who chose none: `ru`, `kk`, `en`, or several joined by `/`; `kk/ru` unless given. */
  readonly mailLanguage?: MailLanguage
  /** Where the operator is told of proof that is not renewed (docs/long-term.md); nobody is told unless given. */
  readonly operatorEmail?: readonly string[]
  /** Mails per hour of organizations (`BIN` and 12 digits) where they differ from `mailsPerHour`. */
  readonly mailBudgets?: MailBudgets
  /**
   * The key that signs reports: Ed25519 in PEM (PKCS #8). Without it reports are not signed; none is generated, since a key
   * that changes at every start proves nothing later.
   */
  readonly statementKey?: string
  /**
   * How registrations are logged so that not even the operator can change them unnoticed (docs/log.md); `off` for no log.
   * Unless given, entries are kept and nothing is signed: give a `key`.
   */
  readonly log?: 'off' | LogOptions
  /** How evidence is renewed before it ends (docs/long-term.md); `off` for none. By its defaults unless given. */
  readonly renewal?: 'off' | RenewalOptions
  /** `public` unless given: webhooks may not lead into local and private networks. */
  readonly webhookAddresses?: WebhookAddresses
  /** Ports that webhooks may lead to: 443 and 80 unless given; `any` for development. */
  readonly webhookPorts?: WebhookPorts
  /** Whether `unique` of documents accepts `bin` too, as the production service does; false unless given. */
  readonly uniqueOrganizations?: boolean
  /** Status of a successful webhook; others are retried: `200` unless given, or `2xx`. */
  readonly webhookSuccess?: WebhookSuccess
  /** Certificates for logins: `any` (for authentication or signing) unless given, or only those for `authentication`. */
  readonly loginCertificates?: LoginCertificates
}

/** A running registry. */
export interface Registry {
  /** An operation, with checks of callers and inputs; or another class, or the part behind a port. */
  readonly get: Composition['get']
  /** An operation without these checks, for a transport that makes them itself, as HTTP does. */
  readonly unchecked: Composition['get']
  /** Every operation of core and plugins: its schemas, and its class for `get`. */
  readonly operations: readonly RegisteredOperation[]
  /** Whether the registry can serve, by its database, trust store and plugins; answers within seconds. */
  readiness(): Promise<ReadinessReport>
  /** Starts background work: scheduled tasks and deliveries. */
  start(): void
  /** Stops background work; resolves when running work is done. */
  stop(): Promise<void>
  /** Stops, and closes what the registry opened; a second call waits for the first. */
  close(): Promise<void>
}

/**
 * Composes a registry: opens the database, brings its schema up to date and binds the plugins.
 * Rejects before anything is opened when a required port has no plugin, or a port has two, naming all of them at once.
 */
export async function createRegistry(options: RegistryOptions): Promise<Registry> {
  const isOurs = typeof options.database === 'string'
  const knex = isOurs ? openDatabase(options.database, options.logger ?? standardLogger) : options.database
  const replica =
    options.replica === undefined ? undefined : new Replica(options.replica, options.logger ?? standardLogger)
  const closeDatabase = async () => {
    await replica?.close()
    if (isOurs) await knex.destroy()
  }
  let composition: Composition
  let work: readonly (Schedule | DeliveryWorkers | Relays | LogWorker | RenewEvidence)[]
  let readiness: ReadinessChecks
  try {
    const areas = [...coreAreas, foundation(knex, isOurs, replica)]
    composition = compose(areas, [...options.plugins, optionsPart(options)])
    composition.makeAll()
    await migrate(knex, migrationsOf(coreAreas, options.plugins), composition.get(Logger)).catch((cause: unknown) => {
      throw new DatabaseNotUsable(cause)
    })
    work = [
      composition.get(Schedule),
      composition.get(DeliveryWorkers),
      composition.get(Relays),
      composition.get(LogWorker),
      composition.get(RenewEvidence),
    ]
    readiness = composition.get(ReadinessChecks)
  } catch (error) {
    await closeDatabase()
    throw error
  }
  const stop = async () => void (await Promise.all(work.map((one) => one.stop())))
  let closed: Promise<void> | undefined
  return {
    get: checkedCalls(composition),
    unchecked: composition.get,
    operations: composition.operations,
    readiness: () => readiness.report(),
    start() {
      for (const one of work) one.start()
    },
    stop,
    close() {
      closed ??= stop().then(composition.close).then(closeDatabase)
      return closed
    },
  }
}

/** The parts around the opened database. */
export const foundation = (knex: Knex, isOurs: boolean, replica?: Replica): Part => ({
  name: 'core',
  provides: [
    provideValue(DatabasePool, { knex, isForeign: !isOurs, replica }),
    provideValue(TaskGuard, taskLeases(knex)),
  ],
})

/** Options replace core's defaults, as a plugin does. */
export const optionsPart = (options: RegistryOptions): Part => ({
  name: 'the options of createRegistry',
  provides: [
    ...(options.limits ? limitsOfAreas(options.limits) : []),
    ...(options.shares ? [provideValue(Shares, sharesOf(options.shares))] : []),
    ...(options.digests ? [provideValue(ConfiguredDigests, digestsOf(options.digests))] : []),
    ...(options.license ? [provideValue(License, licenseOf(options.license))] : []),
    ...(options.clock ? [provideValue(Clock, options.clock)] : []),
    ...(options.logger ? [provideValue(Logger, options.logger)] : []),
    ...(options.site ? [provideValue(Site, options.site)] : []),
    ...(options.schedules ? [provideValue(Schedules, options.schedules)] : []),
    ...(options.deliveryTimes
      ? [provideValue(DeliveryTimes, { ...defaultDeliveryTimes, ...options.deliveryTimes })]
      : []),
    ...(options.signaturePolicy
      ? [provideValue(SignaturePolicy, { ...defaultSignaturePolicy, ...options.signaturePolicy })]
      : []),
    ...keysOfOptions(options),
    ...(options.mailBudgets ? [provideValue(MailBudgets, mailBudgetsOf(options.mailBudgets))] : []),
    ...(options.mailLanguage ? [provideValue(MailLanguage, options.mailLanguage)] : []),
    ...(options.operatorEmail ? [provideValue(OperatorAddresses, options.operatorEmail)] : []),
    ...(options.renewal ? [provideValue(RenewalSettings, renewalSettingsOf(options.renewal))] : []),
    ...(options.webhookAddresses ? [provideValue(WebhookAddresses, options.webhookAddresses)] : []),
    ...(options.webhookPorts ? [provideValue(WebhookPorts, options.webhookPorts)] : []),
    ...(options.uniqueOrganizations ? [provideValue(UniqueOrganizations, true)] : []),
    ...(options.webhookSuccess ? [provideValue(WebhookSuccess, options.webhookSuccess)] : []),
    ...(options.loginCertificates ? [provideValue(LoginCertificates, options.loginCertificates)] : []),
  ],
})

/** The key of statements and the settings of the log; each key has one purpose. */
function keysOfOptions({ statementKey, log }: RegistryOptions) {
  const statements = statementKey === undefined ? undefined : readStatementKey(statementKey)
  const settings = log === undefined ? undefined : logSettingsOf(log)
  requireOwnKeys([
    ['statementKey', statements?.key],
    ['log.key', settings?.key],
    ['log.witnessKey', settings?.witnessKey],
  ])
  return [
    ...(statements === undefined ? [] : [provideValue(StatementKey, statements)]),
    ...(settings === undefined ? [] : [provideValue(LogSettings, settings)]),
  ]
}

/** Binds the limits to the ports of their areas. */
export function limitsOfAreas(given: GivenLimits) {
  const ports = coreAreas.flatMap(({ provides = [] }) =>
    provides.flatMap(({ port }) => (port instanceof LimitsPort ? [port] : [])),
  )
  const unknown = Object.keys(given).filter((name) => !ports.some(({ defaults }) => name in defaults))
  if (unknown.length > 0) throw new TypeError(`There are no limits ${unknown.join(', ')}`)
  return ports.map((port) => provideLimits(port, given))
}

const digestsOf = (given: readonly string[] | ConfiguredDigests): ConfiguredDigests =>
  typeof given === 'function' ? given : () => given
