import type { Knex } from 'knex'
import type { ErrorCatalogue } from './error.js'
import type { AnyOperation, Executable } from './operation.js'
import type { AnyTask } from './schedule.js'
import type { AnyService, Binding, Watch, Wired } from './service.js'

/** One step of the schema. It must be repeatable: MySQL cannot roll back a statement that changes tables. */
export interface Migration {
  up(knex: Knex, dialect: 'sqlite' | 'mysql'): Promise<void>
}

/** What an area of core or a plugin brings: nothing else describes it. */
export interface Part {
  readonly name: string
  /** Its parts stand behind single ports only until another plugin provides them: a stand-in, or a host's own choice. */
  readonly givesWay?: boolean
  /** Its catalogue, published by `GET /api/strings`. */
  readonly errors?: readonly { readonly texts: ErrorCatalogue }[]
  /**
   * Steps of the schema by name. All of core run in the order of their names, then those of each plugin, whose names begin
   * with the name of the plugin. A released one never changes.
   */
  readonly migrations?: Readonly<Record<string, Migration>>
  /** Classes that others ask for by themselves. */
  readonly services?: readonly AnyService[]
  /** What it puts behind ports. */
  readonly provides?: readonly Binding[]
  readonly operations?: readonly AnyOperation[]
  /** Repeated work. */
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

/** Declares an area of core. A class that is wired wrongly does not compile. */
export const area = <const P extends Part>(part: Checked<P>): Part => part
