import type { Caller } from '../identity/index.js'
import { port } from '../kernel/port.js'

/** What a browser asks for. */
export interface PageRequest {
  /** The one of `addresses` or `files` that was met, and what stands in its places: `/d/:id` and `{ id }`. */
  readonly address: string
  readonly params: Readonly<Record<string, string>>
  /** Path and query, as asked. */
  readonly url: string
  /** True where the browser came by HTTPS: cookies then have the prefix that `cookieName` gives them. */
  readonly isHttps: boolean
  readonly caller: Caller
  /** Of headers, by lower-case names; `undefined` where not sent. */
  header(name: string): string | undefined
}

/** What a browser gets. */
export interface PageAnswer {
  readonly status: number
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** Pages for people, outside of the API: a plugin brings them, a host with HTTP serves them by `GET`. */
export interface WebPages {
  /** Paths of pages, which depend on who asks, in the manner of routes. */
  readonly addresses: readonly string[]
  /** Paths of files that are the same for everybody. */
  readonly files: readonly string[]
  answer(request: PageRequest): Promise<PageAnswer>
  /** The page in place of one that could not be made: refused by the registry, asked for too often, failed. */
  failure(request: PageRequest, error: unknown): Promise<PageAnswer>
}
export const WebPages = port<WebPages>('WebPages', 'defaulted')

const nothing = () => Promise.reject(new Error('This registry has no pages'))

/** What stands there where no plugin brings pages. */
export const noPages: WebPages = { addresses: [], files: [], answer: nothing, failure: nothing }
