import { type OperationId, type Operations, ROUTES } from './operations.js'
import { problemOf } from './problem.js'
import { type RawAnswer, sendWithProgress, sizeOf, streamWithProgress, type UploadInput } from './upload.js'

/** Options of a client. */
export interface ClientOptions {
  /** Such as `https://registry.example`; the origin of the page in a browser. */
  readonly baseUrl?: string
  /** Default: the platform's. */
  readonly fetch?: typeof fetch
  /** Milliseconds for one call without an upload; one minute unless given. */
  readonly timeoutMs?: number
}

/** Options of one call besides its input. */
export interface CallOptions {
  readonly signal?: AbortSignal
  /** Makes a repeated request have one effect: the same key for the same request. Registering and sending take it. */
  readonly idempotencyKey?: string
  /** Reports the bytes of an upload sent so far. */
  readonly onProgress?: (sent: number, total: number) => void
}

type NoInput = Record<never, never>
type Call<O extends OperationId> =
  Record<never, never> extends Operations[O]['input']
    ? (input?: Operations[O]['input'], options?: CallOptions) => Promise<Operations[O]['answer']>
    : (input: Operations[O]['input'], options?: CallOptions) => Promise<Operations[O]['answer']>

/** Every operation of the registry: it takes identifiers by name, `query`, `request` and `upload`, and throws a `RegistryProblem`. */
export type Client = { readonly [O in OperationId]: Call<O> }

interface AnyInput extends Readonly<Record<string, unknown>> {
  readonly query?: Readonly<Record<string, unknown>>
  readonly request?: unknown
  readonly upload?: UploadInput
}

const TIMEOUT_MS = 60_000
const SESSION = /(?:^|,\s*)jwt=([^;,]*)/

/**
 * A client of a registry. Outside of browsers it keeps the session of `authenticate` itself; in a browser that is the
 * browser's business.
 */
export function createClient(options: ClientOptions = {}): Client {
  const { baseUrl = '', fetch: send = fetch, timeoutMs = TIMEOUT_MS } = options
  const root = `${baseUrl.replace(/\/+$/, '')}/api`
  const isBrowser = typeof XMLHttpRequest !== 'undefined'
  let session: string | undefined

  const raw = async (id: OperationId, input: AnyInput, call: CallOptions): Promise<RawAnswer> => {
    const { method, path } = ROUTES[id]
    const { query = {}, request, upload } = input
    const url = `${root}${addressOf(path, input)}${queryText(query)}`
    const headers: Record<string, string> = { accept: 'application/json' }
    if (call.idempotencyKey !== undefined) headers['idempotency-key'] = call.idempotencyKey
    if (session !== undefined) headers.cookie = `jwt=${session}`
    // The platform sets the content type of a form, since it generates the boundary.
    if (request !== undefined && upload !== undefined)
      return received(await send(url, formOf(method, headers, input, call)))
    if (request !== undefined) headers['content-type'] = 'application/json'
    if (upload !== undefined) headers['content-type'] = 'application/octet-stream'
    if (upload !== undefined && call.onProgress !== undefined) {
      const total = sizeOf(upload)
      const tell = (sent: number) => call.onProgress?.(sent, total)
      if (isBrowser) return sendWithProgress(url, headers, upload, tell, call.signal)
      headers['content-length'] = String(total)
      const body = streamWithProgress(upload, tell)
      // Node requires `duplex`, which DOM types lack.
      const init = { method, headers, body, duplex: 'half', ...signalOf(call) }
      return received(await send(url, init))
    }
    const body = upload ?? (request === undefined ? undefined : JSON.stringify(request))
    const signal = call.signal ?? (upload === undefined ? AbortSignal.timeout(timeoutMs) : undefined)
    return received(
      await send(url, {
        method,
        headers,
        credentials: 'include',
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
      }),
    )
  }

  const execute = async (id: OperationId, input: AnyInput = {}, call: CallOptions = {}): Promise<unknown> => {
    const answer = await raw(id, input, call)
    const body = jsonOf(answer.text)
    const problem = problemOf(answer.status, body, answer.header('retry-after'))
    if (problem !== undefined) throw problem
    if (!isBrowser) {
      const kept = SESSION.exec(answer.header('set-cookie') ?? '')
      if (kept) session = kept[1] || undefined
    }
    return body
  }

  const ids = Object.keys(ROUTES) as OperationId[]
  const calls = ids.map((id) => [id, (input?: AnyInput, call?: CallOptions) => execute(id, input, call)])
  return Object.fromEntries(calls) as Client
}

/** A multipart form with a request and its original (RFC 7578). */
function formOf(method: string, headers: Record<string, string>, { request, upload }: AnyInput, call: CallOptions) {
  const body = new FormData()
  body.append('request', new Blob([JSON.stringify(request)], { type: 'application/json' }))
  if (upload !== undefined) body.append('original', upload instanceof Blob ? upload : new Blob([upload]))
  return { method, headers, body, credentials: 'include' as const, ...signalOf(call) }
}

const signalOf = ({ signal }: CallOptions) => (signal === undefined ? {} : { signal })

async function received(response: Response): Promise<RawAnswer> {
  return { status: response.status, text: await response.text(), header: (name) => response.headers.get(name) }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `/:id/settings` with the identifiers of the input in it. */
const addressOf = (path: string, input: NoInput & AnyInput): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name])))

function queryText(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}
