import { EventObserver, type Plugin, provideValue, type Registry, type RegistryEvent } from '@signed-registry/core'

import { brokenInvariants } from './invariants.js'

const recorded = new WeakMap<Registry, RegistryEvent[]>()

/** Creates a registry with a plugin that records its events, for `eventsOf`; checks the invariants when it is closed. */
export async function recordingEvents(create: (plugin: Plugin) => Promise<Registry>): Promise<Registry> {
  const events: RegistryEvent[] = []
  const listener: EventObserver = { heard: (event) => void events.push(JSON.parse(JSON.stringify(event))) }
  const registry = await create({ name: 'recorded-events', provides: [provideValue(EventObserver, listener)] })
  const watched = { ...registry, close: () => closeWhole(registry) }
  recorded.set(watched, events)
  return watched
}

async function closeWhole(registry: Registry): Promise<void> {
  await registry.stop()
  // A test may have taken the database away, or closed the registry before.
  const broken = await brokenInvariants(registry).catch(() => [])
  await registry.close()
  if (broken.length > 0) throw new Error(`The registry was left with ${broken.join('; ')}`)
}

/** What happened in a test's registry, oldest first. */
export function eventsOf(registry: Registry): RegistryEvent[] {
  const events = recorded.get(registry)
  if (events === undefined) throw new TypeError('The events of this registry are not recorded')
  return [...events]
}
