import type { Owner } from '../identity/index.js'
import type { News } from './news.js'

/** Who asks for mail: the owner whose limit it counts against, or a stranger. */
export type Asker = Owner | typeof STRANGER
export const STRANGER = 'stranger'

/** One recipient and what to tell them. */
export interface Notice {
  /** Address as it was given. */
  readonly to: string
  /** If it was given with the address. */
  readonly language?: string | undefined
  /** What it belongs to: identifier of a document or package, IIN or BIN. */
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
