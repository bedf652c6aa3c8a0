import { evidenceAsic } from '@signed-registry/evidence-asic'
import { pages } from '@signed-registry/pages'
import { buildApp } from '#host/app.js'
import { Measurements } from '#host/monitoring/measurements.js'
import { openSqlite } from '../databases.js'
import { STATEMENT_KEY } from '../statement-key.js'
import { trustingApi } from '../trusting-api.js'
import { type RenewingRegistry, renewingRegistry } from './renewing-registry.js'

/** A registry whose evidence is renewed by hand, with its pages on a free port. */
export interface RenewingPages extends RenewingRegistry {
  /** Such as `http://127.0.0.1:40123`. */
  readonly url: string
  close(): Promise<void>
}

/** Opens one. */
export async function renewingPages(): Promise<RenewingPages> {
  // Nobody knows the port before the host listens.
  const site = { baseUrl: 'http://127.0.0.1:0', name: 'Test registry' }
  const measurements = new Measurements()
  const plugins = [pages({ development: true }), evidenceAsic({}), measurements.plugin]
  const test = await renewingRegistry(await openSqlite(), { site, plugins, statementKey: STATEMENT_KEY })
  const app = await buildApp(test.registry, { logLevel: 'silent', measurements, ...trustingApi })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  site.baseUrl = url
  return {
    ...test,
    url,
    async close() {
      await app.close()
      await test.registry.close()
    },
  }
}
