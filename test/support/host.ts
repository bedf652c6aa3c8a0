import { type Clock, createRegistry, type Plugin, type Registry } from '@signed-registry/core'
import { DevAuthorities, devAuthorities } from '@signed-registry/dev-authorities'
import type { FastifyInstance } from 'fastify'
import { type AppSettings, buildApp } from '../../host/dist/app.js'
import { Measurements } from '../../host/dist/operations/measurements.js'
import type { OpenDatabase } from './databases.js'

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
}

/** Starts a registry on an empty database and the application of the stock host over it, on real HTTP. */
export async function startTestHost(open: OpenDatabase, options: TestHostOptions = {}): Promise<TestHost> {
  const {
    clock,
    authorities = DevAuthorities.create(),
    plugins = [devAuthorities({ authorities })],
    ...settings
  } = options
  const measurements = new Measurements()
  const registry = await createRegistry({
    database: await open(),
    plugins: [...plugins, measurements.plugin],
    ...(clock && { clock }),
  })
  const app = await buildApp(registry, { logLevel: 'silent', measurements, ...settings })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
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
