/**
 * How many parts a port has: `required`, exactly one, which a plugin brings; `defaulted`, exactly one, which core brings
 * unless a plugin does; `contribution`, any number.
 */
export type PortKind = 'required' | 'defaulted' | 'contribution'

/** An injection token that carries the type of its parts. An interface and its port share one name. */
export class Port<T, K extends PortKind = PortKind> {
  /** `Symbol.for` keeps plugins working when npm installs two copies of core, so names are public and unique. */
  readonly id: symbol
  /** For the compiler only: the type of the parts. */
  declare readonly holds?: (part: T) => T

  constructor(
    readonly name: string,
    readonly kind: K,
  ) {
    this.id = Symbol.for(`registry.${name}`)
  }
}

/** Any port, whatever it holds. */
export type AnyPort = Pick<Port<never>, 'id' | 'name' | 'kind'>

/** Declares a port: `export const Mailer = port<Mailer>('Mailer', 'required')`. */
export function port<T>(name: string, kind: 'required'): Port<T, 'required'>
export function port<T>(name: string, kind: 'defaulted'): Port<T, 'defaulted'>
export function port<T>(name: string, kind: 'contribution'): Port<T, 'contribution'>
export function port<T>(name: string, kind: PortKind): Port<T> {
  return new Port(name, kind)
}
