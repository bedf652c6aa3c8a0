import * as dns from 'node:dns'
import * as http from 'node:http'
import * as https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isPublicAddress } from './network-address.js'

/** Why an exchange gave no answer. */
export type OutboundFailure =
  | 'badAddress'
  | 'forbiddenAddress'
  | 'forbiddenPort'
  | 'unreachable'
  | 'timeout'
  | 'tooLarge'

/** The only error that `OutboundClient.send` throws. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'

  constructor(
    readonly reason: OutboundFailure,
    options?: { cause?: unknown },
  ) {
    super(`No answer: ${reason}${options?.cause instanceof Error ? ` (${options.cause.message})` : ''}`, options)
  }
}

/** Says whether an IPv4 or IPv6 address may be connected to. */
export type AddressGuard = (address: string) => boolean
export const anyAddress: AddressGuard = () => true
/** Allows addresses of the public Internet only: neither this machine nor its network, in any notation. */
export const publicAddresses: AddressGuard = isPublicAddress

/** Ports that may be connected to. */
export type AllowedPorts = 'any' | readonly number[]

/** The port of an http: or https: address, or the default of its scheme. */
export const portOf = ({ protocol, port }: URL): number =>
  port !== '' ? Number(port) : protocol === 'https:' ? 443 : 80

/** A body of known length that is not held in memory; it is read once. */
export interface StreamedBody {
  /** Octets. */
  readonly size: number
  readonly bytes: AsyncIterable<Uint8Array>
}

/** One request, and the bounds of its answer. */
export interface OutboundRequest {
  /** http: or https:, without credentials. */
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly headers?: http.OutgoingHttpHeaders
  /** Sent in chunks when it has no `size`. */
  readonly body?: Uint8Array | StreamedBody | Pick<StreamedBody, 'bytes'>
  /** Milliseconds for the whole exchange, from the DNS lookup to the last octet. */
  readonly timeoutMs: number
  /** Octets of the answer's body. */
  readonly maxBytes: number
  /** What to do with a larger body: `refuse` it (`tooLarge`), or `cut` it where its beginning is enough. */
  readonly ifLarger: 'refuse' | 'cut'
  /** Milliseconds without an octet in either direction that count as no answer; within `timeoutMs`. */
  readonly silenceMs?: number
  readonly signal?: AbortSignal | undefined
}

/** An answer of any status: redirects are returned, not followed. */
export interface OutboundAnswer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

/** A request whose answer is not held in memory. */
export type StreamedRequest = Omit<OutboundRequest, 'maxBytes' | 'ifLarger'>

/** An answer whose body is streamed. */
export interface StreamedAnswer extends Omit<OutboundAnswer, 'body'> {
  readonly body: AsyncIterable<Uint8Array>
}

/** How a client connects. */
export interface OutboundOptions {
  /** Called for each address before connecting, whether given or looked up. */
  readonly guard: AddressGuard
  /** Any port by default. */
  readonly ports?: AllowedPorts
  /** Sent to servers that ask for one; PEM, read for each request: what changes counts for new connections. */
  readonly clientCertificate?: { readonly cert: string | Buffer; readonly key: string | Buffer } | undefined
  /** Trusted CA certificates; those of Node by default. PEM. */
  readonly trust?: string | Buffer | undefined
  /** At most so many connections to one server. */
  readonly maxSockets?: number
  /** Looks names up; the system's resolver by default. */
  readonly lookup?: typeof dns.lookup
}

/** HTTP to other systems, bounded in time and size, over keep-alive connections to addresses that a guard allows. */
export class OutboundClient {
  private readonly plain: http.Agent
  private readonly secure: https.Agent

  constructor(private readonly options: OutboundOptions) {
    const { trust, maxSockets = 32 } = options
    const shared = { keepAlive: true, maxSockets, lookup: guardedLookup(options) }
    this.plain = new http.Agent(shared)
    this.secure = new https.Agent({ ...shared, ...(trust !== undefined && { ca: trust }) })
  }

  /** Sends a request and reads its answer; rejects only with `OutboundError`. */
  async send(request: OutboundRequest): Promise<OutboundAnswer> {
    return this.exchange(request, async (response, failure) => ({
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: await readBody(response, request).catch((error: unknown) => {
        throw failure(error)
      }),
    }))
  }

  /** Like `send`, but streams the body to `read`; what it leaves is not fetched. Also rejects with what `read` throws. */
  async stream<T>(request: StreamedRequest, read: (answer: StreamedAnswer) => Promise<T>): Promise<T> {
    return this.exchange(request, (response, failure) => {
      async function* body() {
        try {
          yield* response as AsyncIterable<Buffer>
        } catch (error) {
          throw failure(error)
        }
      }
      return read({ status: response.statusCode ?? 0, headers: response.headers, body: body() })
    })
  }

  /** Closes the connections. */
  close(): void {
    this.plain.destroy()
    this.secure.destroy()
  }

  private allowed(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
      throw new OutboundError('badAddress')
    }
    const { guard, ports = 'any' } = this.options
    // A literal IP address is never looked up, so the lookup cannot check it.
    const literal = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(literal) !== 0 && !guard(literal)) throw new OutboundError('forbiddenAddress')
    if (ports !== 'any' && !ports.includes(portOf(url))) throw new OutboundError('forbiddenPort')
    return url
  }

  private async exchange<T>(
    request: StreamedRequest,
    read: (response: http.IncomingMessage, failure: (error: unknown) => OutboundError) => Promise<T>,
  ): Promise<T> {
    const url = this.allowed(request.url)
    const deadline = new AbortController()
    const abort = () => deadline.abort()
    const timer = setTimeout(abort, request.timeoutMs)
    request.signal?.addEventListener('abort', abort, { once: true })
    if (request.signal?.aborted) abort()
    const failure = (error: unknown) => {
      const reason = error instanceof Error && error.cause instanceof OutboundError ? error.cause : error
      if (reason instanceof OutboundError) return reason
      return new OutboundError(deadline.signal.aborted ? 'timeout' : 'unreachable', { cause: error })
    }
    try {
      const response = await this.begin(url, request, deadline.signal).catch((error: unknown) => {
        throw failure(error)
      })
      try {
        return await read(response, failure)
      } finally {
        // A connection whose answer was not read to its end cannot be reused.
        if (!response.complete) response.destroy()
      }
    } finally {
      clearTimeout(timer)
      request.signal?.removeEventListener('abort', abort)
    }
  }

  private begin(url: URL, request: StreamedRequest, signal: AbortSignal): Promise<http.IncomingMessage> {
    const { method = 'POST', headers = {}, body, silenceMs } = request
    const isSecure = url.protocol === 'https:'
    const { clientCertificate: shown } = this.options
    const options: https.RequestOptions = {
      method,
      signal,
      agent: isSecure ? this.secure : this.plain,
      ...(isSecure && shown && { cert: shown.cert, key: shown.key }),
      headers: { ...headers, ...(body && lengthOf(body)) },
    }
    return new Promise((resolve, reject) => {
      const sent = (isSecure ? https : http).request(url, options, resolve)
      sent.on('error', reject)
      if (silenceMs !== undefined) sent.setTimeout(silenceMs, () => sent.destroy(new OutboundError('timeout')))
      // A server may answer before it has read everything: its answer counts, and the rest is not sent.
      if (body !== undefined && 'bytes' in body) pipeline(Readable.from(body.bytes), sent).catch(reject)
      else sent.end(body)
    })
  }
}

function lengthOf(body: NonNullable<OutboundRequest['body']>): http.OutgoingHttpHeaders {
  if ('size' in body) return { 'content-length': body.size }
  return 'bytes' in body ? {} : { 'content-length': body.length }
}

async function readBody(response: http.IncomingMessage, { maxBytes, ifLarger }: OutboundRequest): Promise<Buffer> {
  if (ifLarger === 'refuse' && Number(response.headers['content-length'] ?? 0) > maxBytes) {
    throw new OutboundError('tooLarge')
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    chunks.push(chunk)
    if (size > maxBytes && ifLarger === 'refuse') throw new OutboundError('tooLarge')
    if (size >= maxBytes && ifLarger === 'cut') break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

/** Looks a name up for each connection, and refuses it when any of its addresses is not allowed (DNS rebinding). */
function guardedLookup({ guard, lookup = dns.lookup }: OutboundOptions): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error || first === undefined) return done(error ?? new Error('The name has no address'), '', 0)
      if (!addresses.every(({ address }) => guard(address))) {
        return done(new Error('refused', { cause: new OutboundError('forbiddenAddress') }), '', 0)
      }
      if (options.all) return done(null, addresses)
      done(null, first.address, first.family)
    })
  }
}
