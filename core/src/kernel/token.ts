import type { Bind, MapToResolvedValueInjectOptions, ServiceIdentifier } from 'inversify'

/** Names a service and carries its type; an interface and its token share one name. */
export type Token<T> = ServiceIdentifier<T>

/** Makes a token. `Symbol.for` keeps plugins working when npm installs two copies of core, so names are public and unique. */
export const token = <T>(name: string): Token<T> => Symbol.for(`registry.${name}`)

/** Dependencies of a class or function, in the order of its parameters. */
export type Dependencies<A extends unknown[]> = MapToResolvedValueInjectOptions<A>

/** A class that lists its own dependencies in `inject`, in constructor order. */
export interface Wired<T, A extends unknown[]> {
  new (...args: A): T
  readonly inject: Readonly<Dependencies<A>>
}

/** Binds a class under a token as a singleton; wrong, missing or misordered dependencies do not compile. */
export function provide<T, A extends unknown[]>(bind: Bind, id: Token<T>, Class: Wired<T, A>) {
  const dependencies = [...Class.inject] as Dependencies<A>
  return bind(id)
    .toResolvedValue((...args: A) => new Class(...args), dependencies)
    .inSingletonScope()
}

/** Every binding of a contribution token; none is fine (the parameter is then `undefined`). */
export const all = <T>(id: Token<T>) => ({ serviceIdentifier: id, isMultiple: true, optional: true }) as const
