import type { Caller } from '../identity/index.js'
import { port } from '../kernel/port.js'

/** A browser's request for a page or a file. */
export interface PageRequest {
  /** The matching route of `addresses` or `files`, and its parameters: `/d/:id` and `{ id }`. */
  readonly address: string
  readonly params: Readonly<Record<string, string>>
  /** Path and query of the request. */
  readonly url: string
  /** True over HTTPS: cookies then have the prefix of `cookieName`. */
  readonly isHttps: boolean
  readonly caller: Caller
  /** A request header by lower-case name. */
  header(name: string): string | undefined
}

/** Answer to a browser. */
export interface PageAnswer {
  readonly status: number
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** Pages for people, outside of the API: a plugin provides them, an HTTP host serves them by `GET`. */
export interface WebPages {
  /** Routes of pages, whose content depends on the user. */
  readonly addresses: readonly string[]
  /** Routes of files that are the same for everybody. */
  readonly files: readonly string[]
  answer(request: PageRequest): Promise<PageAnswer>
  /** The error page for a request that was refused, rate-limited or failed. */
  failure(request: PageRequest, error: unknown): Promise<PageAnswer>
}
export const WebPages = port<WebPages>('WebPages', 'defaulted')

const nothing = () => Promise.reject(new Error('This registry has no pages'))

/** Used where no plugin provides pages. */
export const noPages: WebPages = { addresses: [], files: [], answer: nothing, failure: nothing }
