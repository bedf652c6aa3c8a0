import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Part } from './part.js'

/** A plugin: a value made by a typed factory, ready to be given to `createRegistry`. */
export type Plugin = Part

/** A plugin whose single ports others may bind instead, as with the stock host's: `[givingWay(theirs()), mine()]`. */
export const givingWay = (plugin: Plugin): Plugin => ({ ...plugin, givesWay: true })

/** Declares a plugin. The factory it returns checks options by their schema when it is called. */
export function definePlugin<const S extends TSchema>(spec: {
  readonly name: string
  readonly options: S
  /** What the plugin brings. */
  parts(options: Static<S>): Omit<Part, 'name'>
}): (options: Static<S>) => Plugin {
  return (options) => {
    assertOptions(spec.name, spec.options, options)
    return { name: spec.name, ...spec.parts(options) }
  }
}

/** Throws a `TypeError` that names the plugin and every wrong option. */
function assertOptions(name: string, schema: TSchema, options: unknown): void {
  if (Value.Check(schema, options)) return
  const wrong = [...Value.Errors(schema, options)].map((error) => `${error.instancePath || '/'} ${error.message}`)
  throw new TypeError(`${name}: ${wrong.join('; ')}`)
}
