import { createRegistry, Peers, provideValue, type Registry } from '@signed-registry/core'
import { type DevAuthorities, devAuthorities } from '@signed-registry/dev-authorities'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '#host/app.js'
import { HttpPeers } from '#host/peers/http-peers.js'
import { freePort } from './free-port.js'
import { trustingApi } from './trusting-api.js'

/** One of two hosts that reach each other over HTTP. */
export interface PeerHost {
  readonly app: FastifyInstance
  readonly registry: Registry
  readonly peers: HttpPeers
  readonly url: string
}

/** Two hosts of one registry. */
export interface TwoHosts {
  readonly first: PeerHost
  readonly second: PeerHost
  /** The service as people meet it, at whichever host a test says. */
  readonly site: { baseUrl: string; name: string }
  close(): Promise<void>
}

/** Starts two hosts over one database. */
export async function startTwoHosts(database: string, authorities: DevAuthorities): Promise<TwoHosts> {
  const site = { baseUrl: '', name: 'Two hosts' }
  const start = async (): Promise<PeerHost> => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const peers = new HttpPeers(url, trustingApi.sessionSecrets, { warn: () => undefined })
    const plugins = [devAuthorities({ authorities }), { name: 'peers', provides: [provideValue(Peers, peers)] }]
    const registry = await createRegistry({ database, plugins, site })
    const app = await buildApp(registry, { logLevel: 'silent', ...trustingApi })
    peers.serve(app, registry)
    await app.listen({ host: '127.0.0.1', port })
    return { app, registry, peers, url }
  }
  const [first, second] = [await start(), await start()]
  return {
    first,
    second,
    site,
    async close() {
      for (const { app, registry } of [first, second]) {
        await app.close()
        await registry.close()
      }
    },
  }
}
