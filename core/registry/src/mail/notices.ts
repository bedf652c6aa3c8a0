import type { Owner } from '../identity/index.js'
import type { News } from './news.js'

/** Who asks for mail: whose share it counts for, or somebody of whom nothing is known. */
export type Asker = Owner | typeof STRANGER
export const STRANGER = 'stranger'

/** Somebody who is to be told something. */
export interface Notice {
  /** Address as somebody gave it. */
  readonly to: string
  /** Where whoever gave the address named one. */
  readonly language?: string | undefined
  /** Whose it is: document, package, IIN or BIN. */
  readonly owner: string
  readonly eventId: string
  /** Who named the address, if anybody did. */
  readonly askedBy?: Asker | undefined
  readonly news: News
}

/** What a request for mail says (specification, "E-mail notification object"). */
export interface AskedFor {
  readonly to: readonly string[]
  readonly language?: string | undefined
}

/** A notice for each address that a request names. */
export const noticesFor = (
  { to: all, language }: AskedFor,
  about: Pick<Notice, 'owner' | 'eventId' | 'news' | 'askedBy'>,
): Notice[] => all.map((to) => ({ to, language, ...about }))
