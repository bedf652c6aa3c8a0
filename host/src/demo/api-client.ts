import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'

/** What an endpoint answered. */
export interface ApiAnswer {
  readonly status: number
  readonly body: unknown
}

/** Calls the registry over HTTP, as any program would. */
export class ApiClient {
  constructor(private readonly url: string) {}

  get(path: string): Promise<ApiAnswer> {
    return this.#call(path, {})
  }

  post(path: string, body: unknown): Promise<ApiAnswer> {
    const headers = { 'content-type': 'application/json' }
    return this.#call(path, { method: 'POST', headers, body: JSON.stringify(body) })
  }

  /** Sends an original; `fetch` gives its Content-Length. */
  upload(path: string, original: Uint8Array<ArrayBuffer>): Promise<ApiAnswer> {
    const headers = { 'content-type': 'application/octet-stream' }
    return this.#call(path, { method: 'POST', headers, body: original })
  }

  async #call(path: string, init: RequestInit): Promise<ApiAnswer> {
    const response = await fetch(`${this.url}${path}`, init)
    return { status: response.status, body: await response.json() }
  }
}

/** An answer as the shape that it must have; throws with the answer itself when it has another. */
export function answered<S extends TSchema>(shape: S, { status, body }: ApiAnswer): Static<S> {
  if (Value.Check(shape, body)) return body
  throw new Error(`The registry answered HTTP ${status}: ${JSON.stringify(body)}`)
}
