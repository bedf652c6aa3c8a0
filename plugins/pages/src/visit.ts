import type { Caller } from '@signed-registry/core'
import type { Needs } from './answers.js'
import type { Html } from './html.js'
import type { Language } from './language.js'
import type { Operations } from './operations.js'
import type { Scheme } from './scheme.js'
import type { Texts } from './texts/en.js'

/** One look at a page. */
export interface Visit {
  readonly caller: Caller
  readonly language: Language
  readonly scheme: Scheme
  readonly texts: Texts
  /** The address of the page, with names for what varies: `/d/:id`. */
  readonly address: string
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Path and query, as asked. */
  readonly url: string
  readonly use: Operations
  /** True on hosts where anybody may sign as a development person. */
  readonly development: boolean
}

/** What a page shows. */
export interface Shown {
  readonly title: string
  readonly body: Html
  /** 200 unless given. */
  readonly status?: number
  /** Modules of `browser/` that the page runs beside `common`. */
  readonly scripts?: readonly string[]
  /** Unless nothing. */
  readonly needs?: Needs
  /** Not for search engines. */
  readonly unlisted?: true
  /** A page that says nothing about its visitor may be kept by anybody who asks each time whether it is still true. */
  readonly isPublic?: true
}

/** Where a page sends its visitor instead. */
export interface Elsewhere {
  readonly location: string
}

export type Page = (visit: Visit) => Promise<Shown | Elsewhere>
