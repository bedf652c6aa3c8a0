import { cookieValues, requestErrors } from '@signed-registry/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { COOKIES } from '../session/cookies.js'

/** Whose pages may act for their visitors. */
export interface Origins {
  /** Origins (`https://portal.example`) beside our own. */
  readonly listed: readonly string[]
  /** Address of the service. */
  readonly baseUrl: () => string
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** True for what changes nothing (RFC 9110, 9.2.1). */
export const isSafe = ({ method }: FastifyRequest): boolean => SAFE.has(method)

/**
 * True where a browser says that the page that asks is neither ours nor of a listed origin: by `Origin`, by `Sec-Fetch-Site`
 * (another port or subdomain is `same-site`), or by either of them where they disagree. Programs send neither.
 */
export function isStrange(request: FastifyRequest, { listed, baseUrl }: Origins): boolean {
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

/**
 * Refuses what a browser sends to change something, with a cookie or the certificate of its user, for a strange page; by the
 * matched route it is known what pages of every origin may call, as nobody (`isOpen`). Comes after who asks was told and counted.
 */
export function refuseForgeries(
  app: FastifyInstance,
  origins: Origins,
  isOpen: (request: FastifyRequest) => boolean = () => false,
): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isForged = !isSafe(request) && bearsCredentials(request) && !isOpen(request) && isStrange(request, origins)
    done(isForged ? requestErrors.error('foreignOrigin') : undefined)
  })
}

/** Of those that browsers add by themselves. */
const bearsCredentials = ({ headers, isMutualTls }: FastifyRequest): boolean =>
  isMutualTls || COOKIES.some((name) => cookieValues(headers.cookie, name).length > 0)
