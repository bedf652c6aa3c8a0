import { cookieValues } from '@signed-registry/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { COOKIES } from '../session/cookies.js'

/** Origins whose pages may act for their visitors. */
export interface Origins {
  /** Origins (`https://portal.example`) in addition to our own. */
  readonly listed: readonly string[]
  /** Address of the service. */
  readonly baseUrl: () => string
}

/** A route of a scope, with `:name` for each parameter. */
interface Address {
  readonly method: string
  readonly path: string
}

/** Which origins may call a scope from browsers. */
export interface CallingPagesSettings extends Origins {
  /** Where the scope is mounted. */
  readonly prefix: string
  /** Methods of the scope. */
  readonly methods: Iterable<string>
  /** What pages of every origin may call, anonymously. */
  readonly forAnybody: readonly Address[]
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])
const HEADERS = 'content-type, idempotency-key'
const PREFLIGHT_SECONDS = 600

/** True for safe methods (RFC 9110, 9.2.1). */
const isSafe = ({ method }: FastifyRequest): boolean => SAFE.has(method)

/**
 * True when a browser says that the calling page is neither ours nor of a listed origin: by `Origin`, by `Sec-Fetch-Site`
 * (`same-site` is another port or subdomain), or by either where they disagree. Programs send neither.
 */
function isStrange(request: FastifyRequest, { listed, baseUrl }: Origins): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (origin !== undefined && listed.includes(origin)) return false
  // `none` means no page at all, such as an address typed by hand.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  return origin !== undefined && !isOwn(request, origin, baseUrl())
}

/** Works behind a proxy that terminates TLS or rewrites `Host`, too: no page can forge `same-origin` (Fetch Metadata). */
function isOwn({ headers, host, protocol }: FastifyRequest, origin: string, baseUrl: string): boolean {
  // Refuses `null` too, which any page may have.
  if (!URL.canParse(origin)) return false
  const [page, base] = [new URL(origin), new URL(baseUrl)]
  if (headers['sec-fetch-site'] === 'same-origin' || origin === base.origin) return true
  // Over plain HTTP, whoever controls the network can be the same host.
  if (page.protocol === 'http:' && (protocol === 'https' || page.host === base.host)) return false
  return page.host === host.toLowerCase()
}

/** True for an unsafe request with its user's cookie or certificate that a browser sends for a page of another origin (CSRF). */
export const isForged = (request: FastifyRequest, origins: Origins): boolean =>
  !isSafe(request) && bearsCredentials(request) && isStrange(request, origins)

/** True for credentials that browsers attach by themselves. */
const bearsCredentials = ({ headers, isMutualTls }: FastifyRequest): boolean =>
  isMutualTls || COOKIES.some((name) => cookieValues(headers.cookie, name).length > 0)

/**
 * Cross-origin access (CORS) to a scope. Unless the origin is listed or the route is open to every origin, an answer carries no
 * CORS header, and the browser hides it from the page. Open routes are recognized by the matched route, as one URL has many
 * spellings.
 */
export class CallingPages {
  private readonly listed: ReadonlySet<string>
  private readonly methods: string
  private readonly open = new Map<string, string[]>()

  constructor(private readonly settings: CallingPagesSettings) {
    const { listed, methods, forAnybody, prefix } = settings
    this.listed = new Set(listed)
    this.methods = [...new Set(methods)].join(', ')
    for (const { method, path } of forAnybody) {
      const url = `${prefix}${path}`
      this.open.set(url, [...(this.open.get(url) ?? []), method])
    }
  }

  /**
   * Sets the CORS headers; true when the request was a preflight, which is answered then. Credentials that come with a page of
   * another origin are ignored (`request.isOfStranger`), whether or not the browser sends them.
   */
  answer(request: FastifyRequest, reply: FastifyReply): boolean {
    const { origin, 'access-control-request-method': asked } = request.headers
    if (!isSafe(request) || this.isOpen(request)) request.isOfStranger = isStrange(request, this.settings)
    if (origin === undefined) return false
    const isPreflight = request.method === 'OPTIONS' && asked !== undefined
    const open = this.openMethods(request)
    const isListed = this.listed.has(origin)
    if (isListed) reply.header('access-control-allow-origin', origin).header('access-control-allow-credentials', 'true')
    else if (open.includes(isPreflight ? asked : request.method) && isStrange(request, this.settings))
      reply.header('access-control-allow-origin', '*')
    else return false
    if (!isPreflight) {
      reply.header('access-control-expose-headers', 'retry-after')
      return false
    }
    reply
      .code(204)
      .header('access-control-allow-methods', isListed ? this.methods : open.join(', '))
      .header('access-control-allow-headers', HEADERS)
      .header('access-control-max-age', PREFLIGHT_SECONDS)
      .send()
    return true
  }

  /** True for a forged request to a route that is not open to every origin. */
  isForged(request: FastifyRequest): boolean {
    return !this.isOpen(request) && isForged(request, this.settings)
  }

  private openMethods({ routeOptions }: FastifyRequest): readonly string[] {
    return this.open.get(routeOptions.url ?? '') ?? []
  }

  private isOpen(request: FastifyRequest): boolean {
    return this.openMethods(request).includes(request.method)
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** True when a page of an origin that is not listed calls: its credentials are ignored. */
    isOfStranger: boolean
  }
}
