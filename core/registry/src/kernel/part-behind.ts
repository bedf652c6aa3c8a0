import type { Part } from './part.js'
import type { AnyPort } from './port.js'
import type { AnyService, Dependency } from './service.js'

/** What of a part stands behind one port: the bindings and services that it leads to, and what watches it; nothing else runs. */
export function partBehind(
  { name, givesWay = false, provides = [], services = [], watches = [] }: Part,
  wanted: AnyPort,
): Part {
  const ports = new Set<symbol>()
  const classes = new Set<AnyService>()
  const reach = (dependency: Dependency): void => {
    if (typeof dependency === 'function') {
      const Class = services.find((service) => service === dependency)
      if (Class === undefined || classes.has(Class)) return
      classes.add(Class)
      Object.values(Class.inject ?? {}).forEach(reach)
    } else if (!ports.has(dependency.id)) {
      ports.add(dependency.id)
      for (const { port, Class, inject } of provides)
        if (port.id === dependency.id) Object.values({ ...inject, ...Class?.inject }).forEach(reach)
    }
  }
  reach(wanted)
  return {
    name,
    givesWay,
    provides: provides.filter(({ port }) => ports.has(port.id)),
    services: [...classes],
    watches: watches.filter(({ port }) => port.id === wanted.id),
  }
}
