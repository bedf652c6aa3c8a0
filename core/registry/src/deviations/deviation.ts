/** Where the registry does otherwise than the specification's words, and why (docs/deviations.md is made of it). */
export interface Deviation {
  /** Lines of `registry-service.md`, of which the first has the words. */
  readonly lines: readonly [number, ...number[]]
  /** The specification's words, letter for letter; ` … ` stands where some are left out. */
  readonly words: string
  /** What we do. */
  readonly ours: string
  readonly because: Reason
  /** The setting that follows the words: a variable of the stock host or an option of `createRegistry`. */
  readonly switch?: string
}

/** What stands against clear words: an attack, somebody's privacy, a law, other words, or the service that people know. */
export type Reason =
  | { readonly attack: string }
  | { readonly privacy: string }
  | { readonly law: string }
  | { readonly specification: string }
  | { readonly production: string }

/** Deviations of one part of the registry, each under a name. */
export type Deviations = Readonly<Record<string, Deviation>>
