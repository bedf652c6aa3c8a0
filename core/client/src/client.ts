import { FILES, type OperationId, type Operations, ROUTES } from './operations.js'
import { problemOf } from './problem.js'
import { repeat } from './repeat.js'
import { orUnavailable, RegistryUnavailable } from './unavailable.js'
import { isStream, type RawAnswer, sendWithProgress, sizeOf, streamOf, type UploadInput } from './upload.js'

/** Options of a client. */
export interface ClientOptions {
  /** Such as `https://registry.example`; the origin of the page in a browser. */
  readonly baseUrl?: string
  /** Default: the platform's. */
  readonly fetch?: typeof fetch
  /** Milliseconds for one call without an upload; one minute unless given. */
  readonly timeoutMs?: number
  /**
   * Whether a browser sends the cookie of the session: `same-origin` unless given. `include` is for pages of another origin
   * that the registry lists (`CORS_ORIGINS`); others may call it only without the cookie.
   */
  readonly credentials?: RequestCredentials
  /** How often a call that reads, or has an `idempotencyKey`, is repeated after faults that may pass; 2 unless given. */
  readonly retries?: number
}

/** Options of one call besides its input. */
export interface CallOptions {
  readonly signal?: AbortSignal
  /**
   * Makes a repeated request have one effect: the same key for the same request, 1 to 255 printable ASCII characters without
   * spaces, at least 16 without a session; best a random UUID. Registering and sending take it.
   */
  readonly idempotencyKey?: string
  /** Reports the bytes of an upload sent so far. */
  readonly onProgress?: (sent: number, total: number) => void
}

type NoInput = Record<never, never>
interface Exchange {
  readonly input: unknown
  readonly answer: unknown
}
type Call<E extends Exchange> =
  Record<never, never> extends E['input']
    ? (input?: E['input'], options?: CallOptions) => Promise<E['answer']>
    : (input: E['input'], options?: CallOptions) => Promise<E['answer']>

/** A client of these operations, of which some answer files: it takes identifiers by name, `query`, `request` and `upload`. */
export type ClientOf<Known extends { readonly [O in keyof Known]: Exchange }, File extends keyof Known> = {
  readonly [O in keyof Known]: Call<Known[O]>
} & {
  /** The file that an operation answers, of any size, as it comes: `client.openFile('getDocumentData', { id })`. */
  openFile<O extends File>(
    operation: O,
    input: Known[O]['input'],
    options?: Pick<CallOptions, 'signal'>,
  ): Promise<ReadableStream<Uint8Array>>
}

/** An operation that answers a file, such as a stored original. */
export type FileOperation = keyof typeof FILES & OperationId

/** Every operation of the registry; each throws a `RegistryProblem`. */
export type Client = ClientOf<Operations, FileOperation>

interface Route {
  readonly method: string
  readonly path: string
}

/** Where operations are found, and the types of the files that some answer. */
export interface Addresses {
  readonly ROUTES: Readonly<Record<string, Route>>
  readonly FILES: Readonly<Record<string, string>>
}

interface AnyInput extends Readonly<Record<string, unknown>> {
  readonly query?: Readonly<Record<string, unknown>>
  readonly request?: unknown
  readonly upload?: UploadInput
}

const TIMEOUT_MS = 60_000
const RETRIES = 2
const SESSION = /(?:^|,\s*)jwt=([^;,]*)/

/**
 * A client of a registry. Outside of browsers it keeps the session of `authenticate` itself; in a browser that is the
 * browser's business. Besides `RegistryProblem`s calls throw `RegistryUnavailable`, the reason of their signal, and a `TypeError` for
 * an `idempotencyKey` that no header can carry.
 */
export const createClient = (options?: ClientOptions): Client =>
  clientOf<Operations, FileOperation>({ ROUTES, FILES }, options)

/** A client with other operations, as `signed-registry client` writes them for a registry with plugins. */
export function clientOf<Known extends { readonly [O in keyof Known]: Exchange }, File extends keyof Known>(
  { ROUTES: routes, FILES: files }: Addresses,
  options: ClientOptions = {},
): ClientOf<Known, File> {
  const { baseUrl = '', fetch: send = fetch, timeoutMs = TIMEOUT_MS, retries = RETRIES } = options
  const { credentials = 'same-origin' } = options
  const root = `${baseUrl.replace(/\/+$/, '')}/api`
  const isBrowser = typeof XMLHttpRequest !== 'undefined'
  let session: string | undefined

  /** What a call sends; `duplex` is what Node requires of streams, and DOM types lack. */
  const initOf = async ({ method }: Route, accept: string, input: AnyInput, call: CallOptions) => {
    const { request, upload } = input
    const headers: Record<string, string> = { accept }
    if (call.idempotencyKey !== undefined) headers['idempotency-key'] = call.idempotencyKey
    if (session !== undefined) headers.cookie = `jwt=${session}`
    const init = { method, headers, credentials, duplex: 'half' }
    // The platform sets the content type of a form, since it generates the boundary.
    if (request !== undefined && upload !== undefined) return { ...init, body: await formOf(request, upload) }
    if (request !== undefined) {
      headers['content-type'] = 'application/json'
      return { ...init, body: JSON.stringify(request) }
    }
    if (upload === undefined) return init
    headers['content-type'] = 'application/octet-stream'
    const { onProgress } = call
    if (!isStream(upload) && (onProgress === undefined || isBrowser)) return { ...init, body: upload }
    const size = sizeOf(upload)
    headers['content-length'] = String(size)
    return { ...init, body: streamOf(upload, (sent) => onProgress?.(sent, size)) }
  }

  const exchange = async (route: Route, url: string, input: AnyInput, call: CallOptions): Promise<RawAnswer> => {
    const { upload } = input
    const { onProgress, signal } = call
    const init = await initOf(route, 'application/json', input, call)
    if (
      isBrowser &&
      onProgress !== undefined &&
      upload !== undefined &&
      input.request === undefined &&
      !isStream(upload)
    ) {
      const size = sizeOf(upload)
      return sendWithProgress(url, { ...init, signal }, upload, (sent) => onProgress(sent, size))
    }
    const limits = [...(signal ? [signal] : []), ...(upload === undefined ? [AbortSignal.timeout(timeoutMs)] : [])]
    const answer = await send(url, { ...init, signal: AbortSignal.any(limits) })
    return { status: answer.status, text: await answer.text(), header: (name) => answer.headers.get(name) }
  }

  const attempt = async (route: Route, input: AnyInput, call: CallOptions): Promise<unknown> => {
    const url = urlOf(root, route.path, input)
    const answer = await orUnavailable(exchange(route, url, input, call), url, call.signal)
    const body = jsonOf(answer.text)
    const problem = problemOf(answer.status, body, answer.header('retry-after'))
    if (problem !== undefined) throw problem
    if (body === undefined && answer.text !== '') throw notARegistry(url, answer.header('content-type'))
    if (!isBrowser) {
      const kept = SESSION.exec(answer.header('set-cookie') ?? '')
      if (kept) session = kept[1] || undefined
    }
    return body
  }

  const execute = async (route: Route, input: AnyInput = {}, call: CallOptions = {}): Promise<unknown> => {
    requireKey(call.idempotencyKey)
    const isRepeatable = route.method === 'GET' || call.idempotencyKey !== undefined
    const times = isRepeatable && !isStream(input.upload) ? retries : 0
    return repeat(times, () => attempt(route, input, call), call.signal)
  }

  const openFile = async (id: string, input: AnyInput, call: CallOptions = {}) => {
    const [route, type] = [routes[id], files[id]]
    if (route === undefined || type === undefined) throw new TypeError(`${id} answers no file`)
    const url = urlOf(root, route.path, input)
    const init = await initOf(route, type, input, call)
    const { signal } = call
    const answer = await orUnavailable(send(url, { ...init, ...(signal && { signal }) }), url, signal)
    const came = answer.headers.get('content-type')
    if (answer.ok && answer.body !== null && came?.startsWith(type)) return answer.body
    const problem = problemOf(answer.status, jsonOf(await answer.text()), answer.headers.get('retry-after'))
    throw problem ?? notARegistry(url, came)
  }

  const calls = Object.entries(routes).map(([id, route]) => [
    id,
    (input?: AnyInput, call?: CallOptions) => execute(route, input, call),
  ])
  return Object.fromEntries([...calls, ['openFile', openFile]]) as ClientOf<Known, File>
}

/** Refuses what no header can carry: `fetch` fails for it as it does for a registry that cannot be reached. */
function requireKey(idempotencyKey: string | undefined): void {
  if (idempotencyKey === undefined) return
  try {
    new Headers({ 'idempotency-key': idempotencyKey })
  } catch (cause) {
    throw new TypeError('idempotencyKey must be printable ASCII characters without spaces', { cause })
  }
}

const notARegistry = (url: string, type: string | null) =>
  new RegistryUnavailable(
    'notARegistry',
    `${url} answered ${type ?? 'something'} that is no answer of a registry: check baseUrl`,
  )

/** A multipart form with a request and its original (RFC 7578). */
async function formOf(request: unknown, upload: UploadInput): Promise<FormData> {
  const body = new FormData()
  body.append('request', new Blob([JSON.stringify(request)], { type: 'application/json' }))
  const original = isStream(upload) ? await new Response(upload.stream).blob() : upload
  body.append('original', original instanceof Blob ? original : new Blob([original]))
  return body
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The address of an operation: `/:id/settings` has the identifiers of the input in it. */
function urlOf(root: string, path: string, input: NoInput & AnyInput): string {
  const address = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name])))
  const given = Object.entries(input.query ?? {}).filter(([, value]) => value !== undefined)
  if (given.length === 0) return `${root}${address}`
  return `${root}${address}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}
