import {
  type Clock,
  createRegistry,
  type Logger,
  type Plugin,
  type Registry,
  type RegistryOptions,
} from '@signed-registry/core'

import { type DevAuthorities, devAuthorities } from '@signed-registry/dev-authorities'
import type { FastifyInstance } from 'fastify'
import { type AppSettings, buildApp } from '#host/app.js'
import { Measurements } from '#host/monitoring/measurements.js'
import type { OpenDatabase } from './databases.js'
import { recordingEvents } from './events.js'
import { presentAuthorities } from './pki/authorities.js'
import { STATEMENT_KEY } from './statement-key.js'
import { trustingApi } from './trusting-api.js'

/** A host that listens on a free port, with authorities of its own. */
export interface TestHost {
  /** Such as `http://127.0.0.1:40123`. */
  readonly url: string
  readonly app: FastifyInstance
  readonly registry: Registry
  /** Everybody who can sign for this host. */
  readonly authorities: DevAuthorities
  close(): Promise<void>
}

/** What a test may choose. */
export interface TestHostOptions extends AppSettings {
  readonly authorities?: DevAuthorities
  /** Plugins in place of the development authorities. */
  readonly plugins?: readonly Plugin[]
  /** The system's unless given. */
  readonly clock?: Clock
  readonly logger?: Logger
  /** A free one unless given. */
  readonly port?: number
  /** More of what a registry takes. */
  readonly registry?: Partial<RegistryOptions>
}

/** Starts a registry on an empty database and the application of the stock host over it, on real HTTP. */
export async function startTestHost(open: OpenDatabase, options: TestHostOptions = {}): Promise<TestHost> {
  const {
    clock,
    logger,
    port = 0,
    authorities = presentAuthorities(),
    plugins = [devAuthorities({ authorities })],
    registry: more = {},
    ...settings
  } = options
  // Nobody knows the port before the host listens.
  const site = { baseUrl: 'http://127.0.0.1:0', name: 'Test registry' }
  const measurements = new Measurements()
  const database = await open()
  const registry = await recordingEvents((recorder) =>
    createRegistry({
      database,
      site,
      statementKey: STATEMENT_KEY,
      plugins: [...plugins, measurements.plugin, recorder],
      ...(clock && { clock }),
      ...(logger && { logger }),
      ...more,
    }),
  )
  const app = await buildApp(registry, { logLevel: 'silent', measurements, ...trustingApi, ...settings })
  const listening = await app.listen({ host: '127.0.0.1', port })
  const url = settings.tls === undefined ? listening : listening.replace(/^http:/, 'https:')
  site.baseUrl = url
  return {
    url,
    app,
    registry,
    authorities,
    async close() {
      await app.close()
      await registry.close()
    },
  }
}
