import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createRegistry, type Plugin, type Registry } from '@signed-registry/core'
import { type DevAuthorities, devAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import type { FastifyInstance } from 'fastify'
import { Database } from '#core/database/database.js'
import { buildApp } from '#host/app.js'
import { freePort } from './free-port.js'
import { request } from './http.js'
import { brokenInvariants } from './invariants.js'
import { presentAuthorities } from './pki/authorities.js'
import { trustingApi } from './trusting-api.js'
import { until } from './until.js'

interface Registered {
  readonly documentId: string
  readonly signId: number
}

const WRITERS = 4
const ASKED_AGAIN_AFTER_MS = 10_000

/** A host at each node of a cluster, and callers who register at one after another until they are answered. */
export class LoadedHosts {
  private readonly hosts: { app: FastifyInstance; registry: Registry }[] = []
  private readonly answered: Registered[] = []
  private readonly refusals: string[] = []
  private isOver = false
  private writers: Promise<void>[] = []

  private constructor(
    private readonly databases: readonly string[],
    private readonly ports: readonly number[],
    private readonly authorities: DevAuthorities,
  ) {}

  static async start(databases: readonly string[]): Promise<LoadedHosts> {
    const ports = await Promise.all(databases.map(freePort))
    const loaded = new LoadedHosts(databases, ports, presentAuthorities())
    for (const node of databases.keys()) await loaded.startHost(node)
    loaded.writers = Array.from({ length: WRITERS }, (_, n) => loaded.write(n))
    return loaded
  }

  /** Replaces the host of a node by another one, as a new version does. */
  async replaceHost(node: number, plugins: readonly Plugin[]): Promise<void> {
    await this.closeHost(node)
    await this.startHost(node, plugins)
  }

  /** Waits until so many more registrations were acknowledged; fails when one was refused. */
  async acknowledged(more: number): Promise<void> {
    const enough = this.answered.length + more
    await until(async () => this.answered.length >= enough || this.refusals.length > 0)
    expect(this.refusals).to.deep.equal([])
  }

  /** Ends the load. Every node has everything that was acknowledged, once, and nothing else; gives how many that were. */
  async prove(): Promise<number> {
    this.isOver = true
    await Promise.all(this.writers)
    expect(this.refusals).to.deep.equal([])
    const given = this.answered.map(({ documentId, signId }) => `${documentId} ${signId}`).sort()
    expect(new Set(given).size).to.equal(given.length)
    for (const { registry } of this.hosts) {
      const rows = await registry.get(Database).rows('select document_id, sign_id from registry_signatures', [])
      expect(rows.map((row) => `${row.document_id} ${row.sign_id}`).sort()).to.deep.equal(given)
      const documents = await registry.get(Database).rows('select id from registry_documents', [])
      expect(documents).to.have.length(given.length)
      expect(await brokenInvariants(registry)).to.deep.equal([])
    }
    return given.length
  }

  async close(): Promise<void> {
    this.isOver = true
    await Promise.all(this.writers)
    for (const node of this.hosts.keys()) await this.closeHost(node)
  }

  private async startHost(node: number, plugins: readonly Plugin[] = []): Promise<void> {
    const { authorities, databases, ports } = this
    const registry = await createRegistry({
      database: databases[node] ?? '',
      plugins: [devAuthorities({ authorities }), ...plugins],
      logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    })
    const app = await buildApp(registry, { logLevel: 'silent', ...trustingApi })
    await app.listen({ host: '127.0.0.1', port: ports[node] ?? 0 })
    registry.start()
    this.hosts[node] = { app, registry }
  }

  private async closeHost(node: number): Promise<void> {
    await this.hosts[node]?.app.close()
    await this.hosts[node]?.registry.close()
  }

  /** Registers one document after another, each at the next host, and where there is no answer at the one after it. */
  private async write(first: number): Promise<void> {
    const signer = this.authorities.person()
    for (let at = first; !this.isOver; at += 1) {
      const content = Buffer.from(randomUUID())
      const signature = signer.signCms(content, { timeStamp: true, ocsp: true }).toString('base64')
      const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
      for (;;) {
        const signal = AbortSignal.timeout(ASKED_AGAIN_AFTER_MS)
        const init = { method: 'POST', headers, body: JSON.stringify({ title: 'Contract', signature }), signal }
        const url = `http://127.0.0.1:${this.ports[at % this.ports.length]}/api`
        const answer = await request<Registered>(url, init).catch(() => undefined)
        if (answer?.status === 200) {
          this.answered.push(answer.json)
          break
        }
        if (answer !== undefined && answer.status !== 503) return void this.refusals.push(answer.text)
        at += 1
        await pause(20)
      }
    }
  }
}
