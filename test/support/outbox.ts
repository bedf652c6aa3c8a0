import type { Registry, RegistryEvent } from '@signed-registry/core'
import { Database } from '../../core/dist/database/database.js'

/** All events that a registry keeps, oldest first. */
export async function outboxOf(registry: Registry): Promise<RegistryEvent[]> {
  const payloads: string[] = await registry.get(Database).query('registry_outbox').orderBy('id').pluck('payload')
  return payloads.map((payload) => JSON.parse(payload))
}
