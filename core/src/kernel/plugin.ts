import { type Bind, ContainerModule } from 'inversify'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'

/** A plugin: a value made by a typed factory, ready to be given to `createRegistry`. */
export interface Plugin {
  readonly name: string
  readonly module: ContainerModule
}

/** Declares a plugin. The factory it returns checks options by their schema when it is called. */
export function definePlugin<const S extends TSchema>(spec: {
  name: string
  options: S
  bind(bind: Bind, options: Static<S>): void
}): (options: Static<S>) => Plugin {
  return (options) => {
    assertOptions(spec.name, spec.options, options)
    return { name: spec.name, module: new ContainerModule(({ bind }) => spec.bind(bind, options)) }
  }
}

/** Throws a `TypeError` that names the plugin and every wrong option. */
function assertOptions(name: string, schema: TSchema, options: unknown): void {
  if (Value.Check(schema, options)) return
  const wrong = [...Value.Errors(schema, options)].map((error) => `${error.instancePath || '/'} ${error.message}`)
  throw new TypeError(`${name}: ${wrong.join('; ')}`)
}
