import { Container, ContainerModule, type ServiceIdentifier } from 'inversify'
import type { Knex } from 'knex'
import { auditModule } from './audit/index.js'
import { authErrors, authModule } from './auth/index.js'
import { Database } from './database/database.js'
import { migrate } from './database/migrate.js'
import { databaseModule } from './database/module.js'
import { openDatabase } from './database/open.js'
import { taskLeases } from './database/task-leases.js'
import { ConfiguredDigests, documentErrors, documentsModule } from './documents/index.js'
import { eventsModule } from './events/index.js'
import { identityErrors, identityModule } from './identity/index.js'
import { Clock, systemClock } from './kernel/clock.js'
import { fieldErrors } from './kernel/field-length.js'
import { defaultLimits, Limits } from './kernel/limits.js'
import type { Plugin } from './kernel/plugin.js'
import { Schedule, TaskGuard } from './kernel/schedule.js'
import { provide, type Token } from './kernel/token.js'
import { notificationErrors } from './notifications/index.js'
import { organizationErrors, organizationsModule, WebhookAddresses } from './organizations/index.js'
import { packageErrors, packagesModule } from './packages/index.js'
import { routingErrors, routingModule } from './routing/index.js'
import { settingsModule } from './settings/index.js'
import {
  defaultSignaturePolicy,
  SignaturePolicy,
  StatusSource,
  signatureErrors,
  signaturesModule,
  TimestampSource,
  TrustStore,
} from './signatures/index.js'
import { License, statusModule } from './status/index.js'
import { ErrorTexts, stringsModule } from './strings/index.js'

/** What `createRegistry` takes. */
export interface RegistryOptions {
  /** `sqlite:PATH`, `mysql://user:password@host:port/name`, or a Knex instance of your own, which stays yours to close. */
  readonly database: string | Knex
  /** Plugins, in order; together they must provide every required port. */
  readonly plugins: readonly Plugin[]
  readonly limits?: Partial<Limits>
  /** OIDs of the digest algorithms that every original is hashed with; SHA-256 unless given. */
  readonly digests?: ConfiguredDigests
  readonly license?: License
  readonly clock?: Clock
  /** Algorithms that are trusted and signers that are accepted, where they differ from `defaultSignaturePolicy`. */
  readonly signaturePolicy?: Partial<SignaturePolicy>
  /** `public` unless given: webhooks of organizations may not lead into local and private networks. */
  readonly webhookAddresses?: WebhookAddresses
}

/** A running registry. */
export interface Registry {
  /** A use case or a port, by its class or token. */
  get<T>(id: Token<T>): T
  /** True when the database answers. */
  ready(): Promise<boolean>
  /** Begins the work that a registry does unasked, such as giving up what was not delivered in time. */
  start(): void
  /** Ends that work; resolves when what has begun is done. */
  stop(): Promise<void>
  /** Stops, and closes what the registry opened. */
  close(): Promise<void>
}

const SHA256 = '2.16.840.1.101.3.4.2.1'
const REQUIRED_PORTS: readonly ServiceIdentifier[] = [TrustStore, TimestampSource, StatusSource]
const CATALOGUES = [
  signatureErrors,
  documentErrors,
  packageErrors,
  identityErrors,
  fieldErrors,
  notificationErrors,
  organizationErrors,
  authErrors,
  routingErrors,
]
const AREAS = [
  databaseModule,
  eventsModule,
  identityModule,
  signaturesModule,
  documentsModule,
  packagesModule,
  auditModule,
  settingsModule,
  organizationsModule,
  authModule,
  routingModule,
  statusModule,
  stringsModule,
]

/**
 * Composes a registry: opens the database, brings its schema up to date and binds the plugins.
 * Rejects before anything is opened when a required port has no plugin, naming all of them at once.
 */
export async function createRegistry(options: RegistryOptions): Promise<Registry> {
  const container = new Container({ defaultScope: 'Singleton' })
  container.load(...AREAS, ...options.plugins.map((plugin) => plugin.module))
  const missing = REQUIRED_PORTS.filter((id) => !container.isBound(id)).map(nameOf)
  if (missing.length > 0) throw new TypeError(`No plugin provides: ${missing.join(', ')}`)

  const knex = typeof options.database === 'string' ? openDatabase(options.database) : options.database
  const closeDatabase = async () => {
    if (typeof options.database === 'string') await knex.destroy()
  }
  let schedule: Schedule
  try {
    container.load(foundation(options, knex))
    for (const id of REQUIRED_PORTS) container.get(id)
    await migrate(knex).catch((cause: unknown) => {
      throw new Error(`The database cannot be used: ${cause instanceof Error ? cause.message : cause}`, { cause })
    })
    schedule = container.get(Schedule)
  } catch (error) {
    await closeDatabase()
    throw error
  }
  return {
    get: (id) => container.get(id),
    ready: () =>
      knex.raw('select 1').then(
        () => true,
        () => false,
      ),
    start: () => schedule.start(),
    stop: () => schedule.stop(),
    close: async () => {
      await schedule.stop()
      await container.unbindAllAsync()
      await closeDatabase()
    },
  }
}

const foundation = (options: RegistryOptions, knex: Knex) =>
  new ContainerModule(({ bind, isBound, rebind }) => {
    bind(Database).toConstantValue(new Database(knex, { isForeign: typeof options.database !== 'string' }))
    bind(TaskGuard).toConstantValue(taskLeases(knex))
    provide(bind, Schedule, Schedule)
    bind(Limits).toConstantValue({ ...defaultLimits, ...options.limits })
    bind(WebhookAddresses).toConstantValue(options.webhookAddresses ?? 'public')
    bind(ConfiguredDigests).toConstantValue(options.digests ?? [SHA256])
    if (options.clock || !isBound(Clock)) bind(Clock).toConstantValue(options.clock ?? systemClock)
    if (options.signaturePolicy)
      rebind(SignaturePolicy).toConstantValue({ ...defaultSignaturePolicy, ...options.signaturePolicy })
    if (options.license) rebind(License).toConstantValue(options.license)
    for (const { texts } of CATALOGUES) bind(ErrorTexts).toConstantValue(texts)
  })

const nameOf = (id: ServiceIdentifier): string => (typeof id === 'symbol' ? (id.description ?? '') : String(id))
