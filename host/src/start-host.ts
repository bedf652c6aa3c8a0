import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freeBytes } from '@signed-registry/archive-fs'
import {
  CertificatesInUse,
  createRegistry,
  databaseFacts,
  HeldCallsByDirectory,
  holdDatabase,
  Peers,
  type Plugin,
  provideValue,
  type Registry,
  type RegistryOptions,
  siteAt,
} from '@signed-registry/core'
import { localCertificate } from '@signed-registry/dev-authorities'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.js'
import { type Config, ConfigError, readConfig } from './config/config.js'
import { stockDigests } from './config/digests.js'
import { addressOf } from './config/own-address.js'
import { startupFault } from './config/startup-fault.js'
import { useFolder } from './config/usable-folder.js'
import { type MemoryLimit, memoryLimit } from './limits/memory-limit.js'
import { listen } from './listen.js'
import { logOptions } from './log/log-options.js'
import { registryLogger } from './monitoring/logging.js'
import { Measurements } from './monitoring/measurements.js'
import { readableLog, readableLogger } from './monitoring/readable-log.js'
import { HttpPeers } from './peers/http-peers.js'
import { WorkerPeers } from './peers/worker-peers.js'
import { reloadHost } from './reload-host.js'
import { renewalOptions } from './renewal/renewal-options.js'
import { keptSecret, keptStatementKey } from './session/kept-secrets.js'
import { SessionSecrets } from './session/session-secrets.js'
import { isForDevelopment, pluginsOf, refuseDevelopment } from './stock-plugins.js'
import { ServerCertificate } from './tls/server-certificate.js'
import { lendRates } from './workers/lend-rates.js'
import { partOfHost } from './workers/part-of-host.js'
import type { Siblings } from './workers/siblings.js'

/** Options of `startHost`. */
export interface HostOptions {
  /** Read from `process.env` unless given. */
  readonly config?: Config
  /** All plugins; those of the configuration unless given. To add some: `[...stockPlugins(config), mine()]`. */
  readonly plugins?: readonly Plugin[]
  /** The other processes that serve the same ports (WORKERS): the command line starts them. */
  readonly siblings?: Siblings | undefined
}

/** A running host. */
export interface Host {
  /** URL for people. */
  readonly url: string
  /** URL for information systems, by mutual TLS, unless that is off. */
  readonly systemsUrl: string | undefined
  /** True with development authorities. */
  readonly forDevelopment: boolean
  readonly app: FastifyInstance
  readonly registry: Registry
  /**
   * Takes over what can change without a restart (docs/operations.md), of a configuration that was read anew and of the files that it
   * names: all of it, or nothing. Rejects with a `ReloadRefused`.
   */
  reload(config: Config): Promise<Awaited<ReturnType<typeof reloadHost>>>
  /**
   * Says that it is not ready, and goes on serving for `DRAIN_SECONDS`, with answers that end their connections: proxies send their
   * calls to others before it closes.
   */
  drain(): Promise<void>
  /** Finishes the requests in progress, then closes the registry. */
  close(): Promise<void>
}

/** Starts a registry and listens. Rejects, before listening, when configuration, plugins or database are wrong. */
export async function startHost(options: HostOptions = {}): Promise<Host> {
  const { siblings } = options
  const given = options.config ?? readConfig(process.env)
  const config = siblings === undefined ? given : partOfHost(given, siblings.count)
  const plugins = options.plugins ?? pluginsOf(config)
  const { archive, dataDir } = config
  const wrong = [
    refuseDevelopment(config, plugins),
    useFolder('DATA_DIR', dataDir),
    archive.kind === 'folder' ? useFolder('ARCHIVE_DIR', archive.folder) : undefined,
  ].filter((line) => line !== undefined)
  if (wrong.length > 0) throw new ConfigError(wrong)
  const secrets = new SessionSecrets(sessionSecretsOf(config))
  const certificate = config.tls && new ServerCertificate(config.tls)
  const forSystems = config.mutualTls && (certificate ?? ownCertificate(config))
  const shown = certificate ?? forSystems
  const measurements = new Measurements()
  const memory = memoryLimit(config.memoryLimit, siblings?.count)
  let log: FastifyInstance['log'] | undefined
  const early = process.stderr.isTTY ? readableLogger((text) => process.stderr.write(text)) : undefined
  const logger = registryLogger(() => log, early)
  const hosts = config.peerUrl === undefined ? undefined : new HttpPeers(config.peerUrl, secrets, logger)
  const workers = siblings && new WorkerPeers(siblings, hosts)
  const peers = workers ?? hosts
  const registryOptions: RegistryOptions = {
    logger,
    database: config.databaseUrl,
    replica: config.replicaUrl,
    plugins: [
      ...plugins,
      measurements.plugin,
      ...(shown ? [{ name: 'tls', provides: [provideValue(CertificatesInUse, shown)] }] : []),
      ...(peers ? [{ name: 'peers', provides: [provideValue(Peers, peers)] }] : []),
    ],
    webhookAddresses: config.webhookAddresses,
    webhookPorts: config.webhookPorts,
    ...config.choices,
    statementKey: config.statementKey ?? keptStatementKey(config.dataDir),
    log: logOptions(config),
    renewal: renewalOptions(config),
    mailBudgets: config.mailBudgets,
    ...(config.mailLanguage !== undefined && { mailLanguage: config.mailLanguage }),
    operatorEmail: config.operatorEmail,
    schedules: config.schedules,
    digests: config.digests ?? stockDigests,
    limits: config.limits,
    shares: config.shares,
    site: siteAt(config.baseUrl ?? addressOf(config), config.siteName, systemsAddressOf(config)),
  }
  const letGo = hold(config.databaseUrl)
  const registry = await createRegistry(registryOptions).catch((error: unknown) => {
    letGo()
    throw startupFault(error)
  })
  const close = () => registry.close().finally(letGo)
  const app = await buildApp(registry, {
    ...config.api,
    rates: { ...config.api.rates, lenders: siblings && lendRates(siblings) },
    siblings,
    spoolFolder: config.dataDir,
    spoolReserve: config.archive.kind === 'folder' ? config.archive.reserve : undefined,
    logLevel: config.logLevel,
    logStream: process.stdout.isTTY ? readableLog((text) => process.stdout.write(text)) : undefined,
    tls: certificate,
    connectionsPerAddress: config.connectionsPerAddress,
    metricsAddresses: config.metricsAddresses,
    sessionSecrets: secrets,
    measurements,
    memory,
  }).catch(async (error: unknown) => {
    await close()
    throw error
  })
  log = app.log
  hosts?.serve(app, registry, (id) => workers?.passOn(id))
  workers?.onWake((id) => registry.get(HeldCallsByDirectory).wakeHere(id))
  app.addHook('onClose', close)
  try {
    const { url, systemsUrl } = await listen(app, config, forSystems)
    // What holds for all workers is said by one.
    if (siblings === undefined || siblings.number === 1) await sayHowItRuns(config, plugins, memory, app.log)
    registry.start()
    const forDevelopment = isForDevelopment(plugins)
    const changeable = { registry, log: app.log, certificate, secrets }
    return {
      ...{ url: config.baseUrl ?? url, systemsUrl, forDevelopment, app, registry },
      async reload(next) {
        const secretsNow = sessionSecretsOf({ ...next, dataDir: config.dataDir })
        return reloadHost(changeable, [given, next], secretsNow)
      },
      async drain() {
        if (config.drainMs === 0) return
        app.log.info(`not ready from now on; closes in ${config.drainMs / 1000} seconds, or at a second signal`)
        app.exchanges.drain()
        await pause(config.drainMs)
      },
      close: () => app.close(),
    }
  } catch (error) {
    await app.close()
    throw error
  }
}

/** Those of the configuration, or one that the host keeps for itself. */
const sessionSecretsOf = ({ sessionSecrets, dataDir }: Config): readonly string[] =>
  sessionSecrets.length > 0 ? sessionSecrets : [keptSecret(dataDir)]

/** The certificate of the port for information systems when none is configured. */
const ownCertificate = ({ dataDir }: Config): ServerCertificate =>
  new ServerCertificate(localCertificate(join(dataDir, 'mutual-tls')))

/** Refuses a database that another host has for itself. */
function hold(databaseUrl: string): () => void {
  let letGo: (() => void) | undefined
  try {
    letGo = holdDatabase(databaseUrl)
  } catch (error) {
    throw startupFault(error)
  }
  if (letGo !== undefined) return letGo
  throw new ConfigError([
    `DATABASE_URL: another host runs on ${databaseUrl}: SQLite is for one. Stop that one first, give this one another DATA_DIR, or use MySQL or MariaDB for several`,
  ])
}

async function sayHowItRuns(
  config: Config,
  plugins: readonly Plugin[],
  memory: MemoryLimit | undefined,
  log: FastifyInstance['log'],
): Promise<void> {
  for (const warning of config.warnings) log.warn(warning)
  const { file, added, without } = config.plugins
  if (file !== undefined) log.info({ plugins: added.map(({ name }) => name), without }, `configured by ${file} as well`)
  void warnOfUnsafeSettings(config, log)
  await warnOfFullDisk(config, log)
  if (memory !== undefined) log.info(`refuses requests above 85 % of ${memory.bytes} bytes of memory`)
  if (config.mail.kind === 'files' && plugins.some(({ name }) => name === 'mailer-files'))
    log.info(`mail is not sent but written to ${config.mail.folder}: SMTP_URL is not set`)
}

/** Warns when the disk has less than its reserve, as originals are refused then. */
async function warnOfFullDisk({ archive }: Config, log: FastifyInstance['log']): Promise<void> {
  if (archive.kind !== 'folder') return
  const free = await freeBytes(archive.folder).catch(() => Number.POSITIVE_INFINITY)
  if (free < archive.reserve)
    log.warn(`no original is kept: the disk of ${archive.folder} has ${free} bytes left, below ARCHIVE_RESERVE`)
}

/** Warns of settings of the database server under which what was acknowledged may be lost; nothing waits for the answer. */
async function warnOfUnsafeSettings({ databaseUrl }: Config, log: FastifyInstance['log']): Promise<void> {
  if (databaseUrl.startsWith('sqlite:')) return
  try {
    const { unsafe } = await databaseFacts(databaseUrl)
    for (const text of unsafe) log.warn(`the database server may lose or refuse registrations: ${text}`)
  } catch (error) {
    log.warn({ err: error }, 'the settings of the database server could not be read')
  }
}

/** The URL for information systems; the host name of that for people unless configured. */
function systemsAddressOf(config: Config): string | undefined {
  const { systemsBaseUrl, mutualTls, baseUrl } = config
  if (systemsBaseUrl !== undefined || mutualTls === undefined) return systemsBaseUrl
  const { hostname } = new URL(baseUrl ?? addressOf(config))
  return `https://${hostname}:${mutualTls.port}`
}
