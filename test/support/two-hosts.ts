import { createRegistry, Peers, provideValue, type Registry } from '@signed-registry/core'

import { type DevAuthorities, devAuthorities } from '@signed-registry/dev-authorities'
import type { FastifyInstance } from 'fastify'
import { type AppSettings, buildApp } from '#host/app.js'
import { HttpPeers } from '#host/peers/http-peers.js'
import { freePort } from './free-port.js'
import { trustingApi } from './trusting-api.js'

/** One of several hosts that reach each other over HTTP. */
export interface PeerHost {
  readonly app: FastifyInstance
  readonly registry: Registry
  readonly peers: HttpPeers
  readonly url: string
}

/** Hosts of one registry. */
export interface PeerHosts {
  readonly hosts: readonly PeerHost[]
  /** The service as people meet it, at whichever host a test says. */
  readonly site: { baseUrl: string; name: string }
  close(): Promise<void>
}

/** Two hosts of one registry. */
export interface TwoHosts extends PeerHosts {
  readonly first: PeerHost
  readonly second: PeerHost
}

/** Starts two hosts over one database. */
export async function startTwoHosts(
  database: string,
  authorities: DevAuthorities,
  settings: AppSettings = {},
): Promise<TwoHosts> {
  const { hosts, ...rest } = await startHosts([database, database], authorities, settings)
  const [first, second] = hosts
  if (first === undefined || second === undefined) throw new Error('There are not two hosts')
  return { ...rest, hosts, first, second }
}

/** Starts a host, one after the other, over each of these addresses of one database. */
export async function startHosts(
  databases: readonly string[],
  authorities: DevAuthorities,
  settings: AppSettings = {},
): Promise<PeerHosts> {
  const site = { baseUrl: '', name: 'Several hosts' }
  const hosts: PeerHost[] = []
  for (const database of databases) {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const peers = new HttpPeers(url, { all: trustingApi.sessionSecrets }, { warn: () => undefined })
    const plugins = [devAuthorities({ authorities }), { name: 'peers', provides: [provideValue(Peers, peers)] }]
    const registry = await createRegistry({ database, plugins, site })
    const app = await buildApp(registry, { logLevel: 'silent', ...trustingApi, ...settings })
    peers.serve(app, registry)
    await app.listen({ host: '127.0.0.1', port })
    hosts.push({ app, registry, peers, url })
  }
  return {
    hosts,
    site,
    async close() {
      for (const { app, registry } of hosts) {
        await app.close()
        await registry.close()
      }
    },
  }
}
