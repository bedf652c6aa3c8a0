import { EventListener, type Plugin, provideValue, type Registry, type RegistryEvent } from '@signed-registry/core'

const recorded = new WeakMap<Registry, RegistryEvent[]>()

/** Makes a registry with a plugin that takes down its events, for `eventsOf`. */
export async function recordingEvents(create: (plugin: Plugin) => Promise<Registry>): Promise<Registry> {
  const events: RegistryEvent[] = []
  const listener: EventListener = { heard: (event) => void events.push(JSON.parse(JSON.stringify(event))) }
  const registry = await create({ name: 'recorded-events', provides: [provideValue(EventListener, listener)] })
  recorded.set(registry, events)
  return registry
}

/** What happened in a test's registry, oldest first. */
export function eventsOf(registry: Registry): RegistryEvent[] {
  const events = recorded.get(registry)
  if (events === undefined) throw new TypeError('The events of this registry are not recorded')
  return [...events]
}
