import { NONE, writeLeafText } from '@signed-registry/verifier/log'
import { port } from '../kernel/port.js'
import type { Injected } from '../kernel/service.js'

/** What is logged; the number is stored. `public` entries are text that everybody may read. */
export const LOGGED_KINDS = {
  public: 0,
  signature: 1,
  digests: 2,
  seal: 3,
  delivery: 4,
  decision: 5,
  settings: 6,
  recall: 7,
} as const
export type LoggedKind = keyof typeof LOGGED_KINDS
/** A kind whose entries are salted. */
export type SaltedKind = Exclude<LoggedKind, 'public'>

/** A line of the text of an entry; `undefined` for what is absent. */
export type LeafField = readonly [name: string, value: string | undefined]

/** A fact to be logged, as `name value` lines. */
export interface LoggedFact {
  readonly kind: SaltedKind
  /** Names it among those of its kind, in ASCII of at most 160 characters: `signId`, `documentId`, `eventId` … */
  readonly ref: string
  readonly fields: readonly LeafField[]
}

/** A fact that the database has, whether the log names it or not. */
export interface StoredFact {
  readonly ref: string
  /** When it was stored, milliseconds. */
  readonly at: number
}

/** Reads facts again from the database, as areas store them. */
export interface LoggedFacts {
  readonly kinds: readonly SaltedKind[]
  /** The fields by `ref`, exactly as they were logged; without those of facts that are gone. */
  read(kind: SaltedKind, refs: readonly string[]): Promise<ReadonlyMap<string, readonly LeafField[]>>
  /** All facts that have to be logged, some hundred at a time; without those that were forgotten. */
  stored(kind: SaltedKind): AsyncIterable<readonly StoredFact[]>
}
export const LoggedFacts = port<LoggedFacts>('LoggedFacts', 'contribution')

/** Writes the texts of salted entries again, which are stored nowhere. */
export class LoggedTexts {
  static readonly inject = { facts: LoggedFacts }

  constructor(private readonly use: Injected<typeof LoggedTexts.inject>) {}

  /** By `ref`; without those whose facts are gone. */
  async read(kind: SaltedKind, refs: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const source = this.use.facts.find(({ kinds }) => kinds.includes(kind))
    if (source === undefined) throw new TypeError(`No part reads logged facts of kind ${kind}`)
    const found = await source.read(kind, refs)
    return new Map([...found].map(([ref, fields]) => [ref, leafText(kind, fields)]))
  }
}

/** The text of a salted entry. */
export const leafText = (kind: SaltedKind, fields: readonly LeafField[]): string =>
  writeLeafText(
    kind,
    fields.map(([name, value = NONE]) => [name, value]),
  )
