import type { Caller } from '@signed-registry/core'
import type { Needs } from './answers.js'
import type { Html } from './html.js'
import type { Language } from './language.js'
import type { Operations } from './operations.js'
import type { OperatorTexts } from './operator-texts.js'
import type { Scheme } from './scheme.js'
import type { Texts } from './texts/en.js'

/** What whoever runs the service says of it. */
export interface Operator {
  readonly texts: OperatorTexts
  /** Where to report vulnerabilities. */
  readonly security: readonly string[]
}

/** A request for a page. */
export interface Visit {
  readonly caller: Caller
  readonly language: Language
  readonly scheme: Scheme
  readonly texts: Texts
  /** The route of the page, such as `/d/:id`. */
  readonly address: string
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Path and query, without the choices of language and scheme. */
  readonly url: string
  readonly use: Operations
  readonly operator: Operator
  /** True on hosts with development authorities, where anybody may sign as a development person. */
  readonly development: boolean
}

/** The content of a page. */
export interface Shown {
  readonly title: string
  readonly body: Html
  /** 200 unless given. */
  readonly status?: number
  /** Modules of `browser/` that the page runs in addition to `every-page`. */
  readonly scripts?: readonly string[]
  /** Paths of style sheets that only this page needs. */
  readonly styles?: readonly string[]
  /** Default `nothing`. */
  readonly needs?: Needs
  /** Not for search engines. */
  readonly unlisted?: true
  /** True when the page is the same for every visitor, and may be cached with revalidation. */
  readonly isPublic?: true
}

/** A redirect instead of a page. */
export interface Elsewhere {
  readonly location: string
}

export type Page = (visit: Visit) => Promise<Shown | Elsewhere>
