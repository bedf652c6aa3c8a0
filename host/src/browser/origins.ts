import { cookieValues } from '@signed-registry/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { COOKIES } from '../session/cookies.js'

/** Whose pages may act for their visitors. */
export interface Origins {
  /** Origins (`https://portal.example`) beside our own. */
  readonly listed: readonly string[]
  /** Address of the service. */
  readonly baseUrl: () => string
}

/** An address below a scope, with `:name` for what varies. */
interface Address {
  readonly method: string
  readonly path: string
}

/** Whose pages may call a scope from browsers. */
export interface CallingPagesSettings extends Origins {
  /** Where the scope is mounted. */
  readonly prefix: string
  /** Methods of the scope. */
  readonly methods: Iterable<string>
  /** What pages of every origin may call, as nobody. */
  readonly forAnybody: readonly Address[]
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])
const HEADERS = 'content-type, idempotency-key'
const PREFLIGHT_SECONDS = 600

/** True for what changes nothing (RFC 9110, 9.2.1). */
const isSafe = ({ method }: FastifyRequest): boolean => SAFE.has(method)

/**
 * True where a browser says that the page that asks is neither ours nor of a listed origin: by `Origin`, by `Sec-Fetch-Site`
 * (another port or subdomain is `same-site`), or by either of them where they disagree. Programs send neither.
 */
function isStrange(request: FastifyRequest, { listed, baseUrl }: Origins): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (origin !== undefined && listed.includes(origin)) return false
  // `none` is no page at all, such as an address that somebody typed.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  return origin !== undefined && !isOwn(request, origin, baseUrl())
}

/** Also behind a proxy that ends TLS or changes `Host`: browsers say `same-origin`, and no page can make them (Fetch Metadata). */
function isOwn({ headers, host, protocol }: FastifyRequest, origin: string, baseUrl: string): boolean {
  // Also `null`, which may be anybody's.
  if (!URL.canParse(origin)) return false
  const [page, base] = [new URL(origin), new URL(baseUrl)]
  if (headers['sec-fetch-site'] === 'same-origin' || origin === base.origin) return true
  // Without TLS the same host is whoever sits on the line.
  if (page.protocol === 'http:' && (protocol === 'https' || page.host === base.host)) return false
  return page.host === host.toLowerCase()
}

/** True for what a browser sends to change something, with a cookie or the certificate of its user, for a strange page. */
export const isForged = (request: FastifyRequest, origins: Origins): boolean =>
  !isSafe(request) && bearsCredentials(request) && isStrange(request, origins)

/** Of those that browsers add by themselves. */
const bearsCredentials = ({ headers, isMutualTls }: FastifyRequest): boolean =>
  isMutualTls || COOKIES.some((name) => cookieValues(headers.cookie, name).length > 0)

/**
 * What pages of browsers may call of a scope. Where neither the origin is listed nor the address is for anybody, no answer
 * carries a CORS header, and the browser keeps it from the page. By the matched route it is known what is for anybody: addresses
 * are written in many ways.
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
   * Tells the browser whether the page may read the answer; true where it asked for nothing else. Of a strange page that could
   * change something no credentials are looked at (`request.isOfStranger`), whatever the browser does with them.
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

  /** True for what a browser sends for a strange page as its user, and may send as nobody at most. */
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
    /** True where a page of an origin that is not listed calls what changes something, or what is for anybody. */
    isOfStranger: boolean
  }
}
