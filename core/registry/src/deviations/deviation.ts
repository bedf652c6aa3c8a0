/** Where the registry deviates from the words of the specification, and why (source of docs/deviations.md). */
export interface Deviation {
  /** Lines of `registry-service.md`; the first one has the words. */
  readonly lines: readonly [number, ...number[]]
  /** The specification's words verbatim; ` … ` marks omissions. */
  readonly words: string
  /** What the registry does. */
  readonly ours: string
  readonly because: Reason
  /** The setting that restores the specified behaviour: a variable of the stock host or an option of `createRegistry`. */
  readonly switch?: string
}

/** Why: an attack, somebody's privacy, a law, other words of the specification, or what the production service does. */
export type Reason =
  | { readonly attack: string }
  | { readonly privacy: string }
  | { readonly law: string }
  | { readonly specification: string }
  | { readonly production: string }

/** Deviations of one part of the registry, by name. */
export type Deviations = Readonly<Record<string, Deviation>>
