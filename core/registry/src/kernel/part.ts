import type { Knex } from 'knex'
import type { ErrorCatalogue } from './error.js'
import type { AnyOperation, Executable } from './operation.js'
import type { AnyTask } from './schedule.js'
import type { AnyService, Binding, Watch, Wired } from './service.js'

/** One step of the schema. It must be repeatable: MySQL cannot roll back a change of tables. */
export interface Migration {
  up(knex: Knex, dialect: 'sqlite' | 'mysql'): Promise<void>
}

/** Everything that an area of core or a plugin brings. */
export interface Part {
  readonly name: string
  /** Another plugin may bind its single ports instead: for stand-ins, and for a host's own choice. */
  readonly givesWay?: boolean
  /** Its error catalogues, published by `GET /api/strings`. */
  readonly errors?: readonly { readonly texts: ErrorCatalogue }[]
  /**
   * Steps of the schema by name. Those of core run in the order of their names, then those of each plugin, whose names begin
   * with the plugin's. A released one never changes.
   */
  readonly migrations?: Readonly<Record<string, Migration>>
  /** Classes that others inject directly. */
  readonly services?: readonly AnyService[]
  /** What it binds to ports. */
  readonly provides?: readonly Binding[]
  readonly operations?: readonly AnyOperation[]
  /** Scheduled work. */
  readonly tasks?: readonly AnyTask[]
  readonly watches?: readonly Watch[]
}

type Checked<P extends Part> = P & {
  readonly services?: P['services'] extends infer S extends readonly unknown[] ? { [K in keyof S]: Wired<S[K]> } : never
  readonly tasks?: P['tasks'] extends infer S extends readonly unknown[] ? { [K in keyof S]: Wired<S[K]> } : never
  readonly operations?: P['operations'] extends infer S extends readonly unknown[]
    ? { [K in keyof S]: Wired<S[K]> & Executable<S[K]> }
    : never
}

/** Declares an area of core. A class whose constructor does not match its `inject` does not compile. */
export const area = <const P extends Part>(part: Checked<P>): Part => part
