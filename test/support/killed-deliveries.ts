import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { archiveFs } from '@signed-registry/archive-fs'
import { anonymous, Deliveries, type Delivery } from '@signed-registry/core'
import { FixDigests, RegisterDocument } from '@signed-registry/core/documents'
import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import { GetWebhooks } from '@signed-registry/core/webhooks'
import { vehicleRegistration } from '@signed-registry/vehicle-registration'
import { webhookHttp } from '@signed-registry/webhook-http'
import { Database } from '#core/database/database.js'
import { DeliveryQueue } from '#core/deliveries/delivery-queue.js'
import { headCaller } from './core-registry.js'
import type { OpenDatabase } from './databases.js'
import type { DeliveringHost } from './delivering-host.js'
import { type TestRegistry, testRegistry, uploadOf } from './registry.js'
import { until } from './until.js'
import { VehicleAuthority } from './vehicle-authority.js'
import { WebhookSink } from './webhook-sink.js'

const HOST = fileURLToPath(new URL('delivering-host.js', import.meta.url))
const ADDRESSES = 20
const MADE_AT_ONCE = 100
/** Pauses of minutes pass in moments, and the leases of a host that was killed in seconds. */
const SPEED = 300
const LEASE_MS = 6000 * SPEED
const CHANNELS = ['webhook', 'vehicleRegistration']

/** How much leaves the registry, and how often one of its hosts is killed meanwhile. */
export interface KilledRuns {
  readonly webhooks: number
  readonly vehicles: number
  readonly kills: number
}

/** What came of it. */
export interface KilledRun {
  /** Identifiers that were made. */
  readonly made: readonly string[]
  /** How often receivers got each, failures of their own too. */
  readonly got: ReadonlyMap<string, number>
  /** Deliveries as they are kept at the end. */
  readonly kept: readonly Delivery[]
  readonly kills: number
}

/**
 * Two hosts deliver webhooks, and documents to the authority that registers vehicles. Receivers fail at random, while one
 * host after the other is killed and replaced.
 */
export async function deliverWhileKilling(
  open: OpenDatabase,
  { webhooks, vehicles, kills }: KilledRuns,
): Promise<KilledRun> {
  const folder = mkdtempSync(join(tmpdir(), 'killed-deliveries-'))
  const archive = join(folder, 'archive')
  const [sink, authority] = [await WebhookSink.start(), await VehicleAuthority.start()]
  const database = await open()
  const plugins = [webhookHttp({}), vehicleRegistration(authority.options), archiveFs({ folder: archive })]
  const maker = await testRegistry(database, { plugins, webhookAddresses: 'any', webhookPorts: 'any' })
  const got = new Map<string, number>()
  const hosts: ChildProcess[] = []
  let killed = 0
  let arrived = 0
  let start = (): ChildProcess => {
    throw new Error('Nothing was made yet')
  }
  const takes = (id: string, response: ServerResponse) => {
    got.set(id, (got.get(id) ?? 0) + 1)
    arrived += 1
    if (killed < kills && arrived >= ((killed + 1) * (webhooks + vehicles)) / (kills + 1)) {
      // Between what it got and what it answers: the host never hears that this one arrived.
      killed += 1
      hosts.splice(randomInt(hosts.length), 1)[0]?.kill('SIGKILL')
      hosts.push(start())
    }
    const chance = randomInt(20)
    if (chance === 0) response.destroy()
    else response.writeHead(chance === 1 ? 500 : 200).end()
  }
  sink.answer = ({ headers }, response) => takes(String(headers['webhook-id']), response)
  authority.answer = ({ key }, response) => takes(key, response)

  try {
    const made = [...(await makeWebhooks(maker, sink.url, webhooks)), ...(await makeVehicles(maker, vehicles))]
    const told: DeliveringHost = {
      ...{ database, archive, authority: authority.options, now: maker.clock.now(), since: Date.now() },
      ...{ speed: SPEED, leaseMs: LEASE_MS },
    }
    start = () => spawn(process.execPath, [HOST, JSON.stringify(told)], { stdio: ['pipe', 'inherit', 'inherit'] })
    hosts.push(start(), start())
    const { registry } = maker
    const pending = async (channel: string) => (await registry.get(DeliveryQueue).depth(channel)).pending
    await until(async () => (await Promise.all(CHANNELS.map(pending))).every((count) => count === 0))
    await Promise.all(
      hosts.map(async (host) => {
        host.stdin?.end()
        await once(host, 'exit')
      }),
    )
    const kept = await Promise.all(made.map((id) => registry.get(Deliveries).get(id)))
    return { made, got, kept: kept.flatMap((delivery) => delivery ?? []), kills: killed }
  } finally {
    for (const host of hosts) host.kill('SIGKILL')
    await Promise.all([sink.close(), authority.close(), maker.registry.close()])
    rmSync(folder, { recursive: true })
  }
}

async function makeWebhooks({ registry }: TestRegistry, url: string, count: number): Promise<string[]> {
  const head = headCaller()
  const urls = Array.from({ length: ADDRESSES }, (_, n) => `${url}/${n}`)
  await registry.get(SaveOrganizationSettings).execute(head, { request: { webhooks: { urls } } })
  const webhookIds = (await registry.get(GetWebhooks).execute(head)).webhooks.map(({ webhookId }) => webhookId)
  const made: string[] = []
  while (made.length < count) {
    const some = Array.from({ length: Math.min(MADE_AT_ONCE, count - made.length) }, (_, n) => {
      const webhookId = webhookIds[n % ADDRESSES] ?? ''
      const payload = { webhookId, body: { documentId: 'A'.repeat(16), signId: made.length + n } }
      return { channel: 'webhook', target: webhookId, owner: head.bin, payload }
    })
    made.push(...(await registry.get(Database).transaction(() => registry.get(Deliveries).add(some))))
  }
  return made
}

/** Registers documents that are forwarded as soon as they are complete; answers the identifiers of their deliveries. */
async function makeVehicles({ registry, authorities, clock }: TestRegistry, count: number): Promise<string[]> {
  const person = authorities.person()
  const made: string[] = []
  for (let n = 0; n < count; n += 1) {
    clock.time += 1
    const original = Buffer.from(`contract ${n}`)
    const signature = person.signCms(original, { timeStamp: true, ocsp: true }).toString('base64')
    const integrationRegisterAuto = { documentTypeCode: 'vehicleSaleContract', signers: ['seller'] }
    const request = { signature, settings: { forceArchive: true }, integrationRegisterAuto }
    const { documentId: id } = await registry.get(RegisterDocument).execute(anonymous, { request })
    await registry.get(FixDigests).execute(anonymous, { id, upload: uploadOf(original) })
    const [delivery] = await registry.get(Deliveries).page({ owner: id, channel: 'vehicleRegistration' }, 1)
    if (delivery !== undefined) made.push(delivery.id)
  }
  return made
}
