import { isIPv6 } from 'node:net'
import type { Caller } from '@signed-registry/core'
import { requestErrors } from '../errors.js'
import { RateLimit } from './rate-limit.js'

/** Requests in a minute; 0 limits nothing. */
export interface RateSettings {
  /** Of one address, as long as nobody has authenticated. */
  readonly anonymous: number
  /** Of one person, employee or information system. */
  readonly caller: number
}

export const noRates: RateSettings = { anonymous: 0, caller: 0 }

const IPV6_NETWORK_GROUPS = 4

/** How often callers may ask. Each host counts for itself, in memory. */
export class RequestRates {
  readonly #anonymous: RateLimit
  readonly #callers: RateLimit
  readonly #refused: RateLimit

  constructor({ anonymous, caller }: RateSettings, now: () => number) {
    this.#anonymous = new RateLimit(anonymous, now)
    this.#callers = new RateLimit(caller, now)
    this.#refused = new RateLimit(anonymous, now)
  }

  /** Counts a request; throws `rateLimitReached`. */
  count(caller: Caller, ip: string): void {
    if (caller.kind === 'anonymous') assertNow(this.#anonymous.take(networkOf(ip)))
    else assertNow(this.#callers.take(keyOf(caller)))
  }

  /** Throws `rateLimitReached` for an address that has shown too many certificates that were refused. */
  assertMayIdentify(ip: string): void {
    assertNow(this.#refused.wait(networkOf(ip)))
  }

  /** Counts a certificate that was refused. */
  countRefused(ip: string): void {
    this.#refused.take(networkOf(ip))
  }
}

function assertNow(wait: number): void {
  if (wait > 0) throw requestErrors.error('rateLimitReached', { retryAfter: Math.ceil(wait / 1000) })
}

function keyOf(caller: Exclude<Caller, { kind: 'anonymous' }>): string {
  if (caller.kind === 'system') return caller.certificateDigest
  return caller.kind === 'employee' ? `${caller.iin} ${caller.bin}` : caller.iin
}

/** An IPv4 address, or the network of 64 bits that one IPv6 subscriber has at least. */
function networkOf(ip: string): string {
  if (!isIPv6(ip) || ip.includes('.')) return ip.replace(/^::ffff:/i, '')
  const [head = '', tail] = ip.split('::')
  const groups = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - groups.length - last.length
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...last]
  return all
    .slice(0, IPV6_NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
