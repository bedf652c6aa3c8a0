import { archiveFs } from '@signed-registry/archive-fs'
import { type VehicleRegistrationOptions, vehicleRegistration } from '@signed-registry/vehicle-registration'
import { webhookHttp } from '@signed-registry/webhook-http'
import { registryWithoutAuthorities } from './core-registry.js'

/** What a delivering host is told. Its clock runs `speed` times as fast, from `now` at the moment `since` of this machine. */
export interface DeliveringHost {
  readonly database: string
  readonly archive: string
  readonly authority: VehicleRegistrationOptions
  readonly now: number
  readonly since: number
  readonly speed: number
  readonly leaseMs: number
}

// Delivers what is in a database until it is killed, or until its input ends.
const { database, archive, authority, now, since, speed, leaseMs }: DeliveringHost = JSON.parse(process.argv[2] ?? '')
const registry = await registryWithoutAuthorities(
  database,
  {
    clock: { now: () => now + Math.round((Date.now() - since) * speed) },
    logger: { info: () => undefined, warn: () => undefined, error: console.error },
    deliveryTimes: { leaseMs, pollMs: 50 },
    webhookAddresses: 'any',
    webhookPorts: 'any',
  },
  [
    webhookHttp({ timeoutMs: 5000 }),
    vehicleRegistration({ ...authority, timeoutMs: 5000 }),
    archiveFs({ folder: archive }),
  ],
)
registry.start()
process.stdin.resume().on('end', async () => {
  await registry.close()
  process.exit(0)
})
