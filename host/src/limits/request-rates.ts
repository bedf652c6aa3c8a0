import { type Caller, ownerOf, requestErrors } from '@signed-registry/core'
import { networkOf } from './network-of.js'
import { RateLimit } from './rate-limit.js'

/** What may come in a minute; 0 limits nothing. */
export interface RateSettings {
  /** Requests of one address, as long as nobody has authenticated. */
  readonly anonymous: number
  /** Requests of one person, employee or information system. */
  readonly caller: number
  /** Bytes of JSON of one such address; no limit where not given. Originals are streamed, and not counted. */
  readonly anonymousBytes?: number
  /** Bytes of JSON of one such caller. */
  readonly callerBytes?: number
  /** Milliseconds after which too many requests are refused; 1000 unless given. */
  readonly holdMs?: number
}

export const noRates: RateSettings = { anonymous: 0, caller: 0 }

export const defaultRates = {
  anonymous: 60,
  caller: 600,
  anonymousBytes: 64 * 2 ** 20,
  callerBytes: 512 * 2 ** 20,
  holdMs: 1000,
} satisfies RateSettings

/** How often callers may ask. Each host counts for itself, in memory. */
export class RequestRates {
  private readonly anonymous: RateLimit
  private readonly callers: RateLimit
  private readonly refused: RateLimit
  private readonly anonymousBytes: RateLimit
  private readonly callersBytes: RateLimit

  constructor({ anonymous, caller, anonymousBytes = 0, callerBytes = 0 }: RateSettings, now: () => number) {
    this.anonymous = new RateLimit(anonymous, now)
    this.callers = new RateLimit(caller, now)
    this.refused = new RateLimit(anonymous, now)
    this.anonymousBytes = new RateLimit(anonymousBytes, now)
    this.callersBytes = new RateLimit(callerBytes, now)
  }

  /** Counts a request and the bytes of its JSON; throws `rateLimitReached`. */
  count(caller: Caller, ip: string, bytes = 0): void {
    const isAnonymous = caller.kind === 'anonymous'
    const key = isAnonymous ? networkOf(ip) : keyOf(caller)
    assertNow((isAnonymous ? this.anonymous : this.callers).take(key))
    if (bytes > 0) assertNow((isAnonymous ? this.anonymousBytes : this.callersBytes).take(key, bytes))
  }

  /** Throws `rateLimitReached` for an address that has shown too many certificates that were refused. */
  assertMayIdentify(ip: string): void {
    assertNow(this.refused.wait(networkOf(ip)))
  }

  /** Counts a certificate that was refused. */
  countRefused(ip: string): void {
    this.refused.take(networkOf(ip))
  }
}

function assertNow(wait: number): void {
  if (wait > 0) throw requestErrors.error('rateLimitReached', { retryAfter: Math.ceil(wait / 1000) })
}

/** Systems count each for itself. */
const keyOf = (caller: Exclude<Caller, { kind: 'anonymous' }>): string =>
  caller.kind === 'system' ? caller.certificateDigest : ownerOf(caller)
