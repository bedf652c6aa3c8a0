import { isIPv6 } from 'node:net'
import { type Caller, ownerOf } from '../identity/index.js'
import { requestErrors } from '../kernel/request-errors.js'
import { type Lenders, SharedRateLimit } from './shared-rate-limit.js'

/** Rate limits, each per minute; 0 for no limit. */
export interface RateSettings {
  /** Requests of one address without authentication. */
  readonly anonymous: number
  /** Requests of one person, employee or information system. */
  readonly caller: number
  /** Bytes of JSON of one such address; no limit unless given. Originals are streamed and not counted. */
  readonly anonymousBytes?: number
  /** Bytes of JSON of one such caller. */
  readonly callerBytes?: number
  /** Milliseconds for which requests above the limit are held before they are refused; 1000 unless given. */
  readonly holdMs?: number
  /** The other processes of this host, which have a part of each rate; none unless given. */
  readonly lenders?: Lenders | undefined
}

export const noRates: RateSettings = { anonymous: 0, caller: 0 }

export const defaultRates = {
  anonymous: 60,
  caller: 600,
  anonymousBytes: 64 * 2 ** 20,
  callerBytes: 512 * 2 ** 20,
  holdMs: 1000,
} satisfies RateSettings

/** Limits the request rates of callers. Each host counts for itself, in memory. */
export class RequestRates {
  private readonly anonymous: Limit
  private readonly callers: Limit
  private readonly refused: RateLimit
  private readonly anonymousBytes: Limit
  private readonly callersBytes: Limit

  /** `name` tells the rates of one part of a host from those of another. */
  constructor(
    { anonymous, caller, anonymousBytes = 0, callerBytes = 0, lenders }: RateSettings,
    now: () => number,
    name: string,
  ) {
    const limit = (what: string, perMinute: number): Limit => {
      const own = new RateLimit(perMinute, now, undefined, lenders?.parts)
      return lenders === undefined ? own : new SharedRateLimit(`${name} ${what}`, own, now, lenders)
    }
    this.anonymous = limit('anonymous', anonymous)
    this.callers = limit('callers', caller)
    // Divided, as it is asked before anything is known of a caller; each process has one at least, or nobody could identify there.
    this.refused = new RateLimit(anonymous, now, undefined, Math.min(lenders?.parts ?? 1, anonymous))
    this.anonymousBytes = limit('anonymous bytes', anonymousBytes)
    this.callersBytes = limit('callers bytes', callerBytes)
  }

  /**
   * Counts a request (of strangers by network) and the bytes of its JSON; throws `rateLimitReached`, or rejects with it where
   * others had to be asked.
   */
  count(caller: Caller, bytes = 0): Promise<void> | void {
    const isAnonymous = caller.kind === 'anonymous'
    const key = keyOf(caller)
    const requests = counted((isAnonymous ? this.anonymous : this.callers).take(key))
    if (bytes === 0) return requests
    const ofBytes = () => counted((isAnonymous ? this.anonymousBytes : this.callersBytes).take(key, bytes))
    return requests === undefined ? ofBytes() : requests.then(ofBytes)
  }

  /** Throws `rateLimitReached` for an address from which too many certificates were refused. */
  assertMayIdentify(network: string): void {
    assertNow(this.refused.wait(network))
  }

  /** Counts a certificate that was refused. */
  countRefused(network: string): void {
    this.refused.take(network)
  }
}

type Limit = Pick<SharedRateLimit, 'take'>

const counted = (wait: number | Promise<number>): Promise<void> | void =>
  typeof wait === 'number' ? assertNow(wait) : wait.then(assertNow)

function assertNow(wait: number): void {
  if (wait > 0) throw requestErrors.error('rateLimitReached', { retryAfter: Math.ceil(wait / 1000) })
}

/** Each system has a limit of its own. */
function keyOf(caller: Caller): string {
  if (caller.kind === 'anonymous') return caller.address ?? ''
  return caller.kind === 'system' ? caller.certificateDigest : ownerOf(caller)
}

const MINUTE = 60_000
const MAX_KEYS = 100_000

/**
 * Limits requests per minute and key, in bursts or evenly (GCRA). A key costs one number; of the 100,000 that are
 * remembered the least recently used is forgotten first.
 */
export class RateLimit {
  /** When each key will have its full allowance again (GCRA's theoretical arrival time), least recently used first. */
  private readonly clear = new Map<string, number>()
  private readonly interval: number

  /** `perMinute` of 0 limits nothing. Of several processes that share a limit each has one of so many `parts`. */
  constructor(
    private readonly perMinute: number,
    private readonly now: () => number,
    private readonly maxKeys = MAX_KEYS,
    private readonly parts = 1,
  ) {
    this.interval = (MINUTE * parts) / perMinute
  }

  /**
   * Counts a request, or as many as it costs, so many of them borrowed; answers 0 when it may proceed, else the milliseconds
   * until it may. One that costs more than a minute's allowance may proceed after a minute of rest.
   */
  take(key: string, cost = 1, borrowed = 0): number {
    if (this.perMinute === 0) return 0
    const own = Math.min(cost, this.perMinute) - borrowed
    const wait = this.wait(key, own)
    if (wait === 0) this.remember(key, this.after(key, own))
    else if (borrowed > 0) this.remember(key, this.after(key, -borrowed))
    return wait
  }

  /** As `take`, without counting. */
  wait(key: string, cost = 1): number {
    if (this.perMinute === 0) return 0
    // Rounded to microseconds: floating-point sums end a hair above ten seconds, which would be reported as eleven.
    return Math.max(0, Math.round((this.after(key, cost) - this.now() - MINUTE) * 1000) / 1000)
  }

  /** How many requests are missing for one that has to wait so many milliseconds. */
  missing(wait: number): number {
    return wait / this.interval
  }

  /** Gives so many requests of a key away, or more of what it has, but no more than that; answers how many. */
  lend(key: string, needed: number): number {
    if (this.perMinute === 0) return 0
    const left = Math.max(0, this.now() + MINUTE - this.after(key, 0)) / this.interval
    const lent = Math.min(left, Math.max(needed, left / this.parts))
    if (lent > 0) this.remember(key, this.after(key, lent))
    return lent
  }

  private remember(key: string, clear: number): void {
    this.clear.delete(key)
    this.clear.set(key, clear)
    if (this.clear.size <= this.maxKeys) return
    for (const quietest of this.clear.keys()) {
      this.clear.delete(quietest)
      break
    }
  }

  /** When the key will have its full allowance again after this request. */
  private after(key: string, cost: number): number {
    return Math.max(this.clear.get(key) ?? 0, this.now()) + this.interval * Math.min(cost, this.perMinute)
  }
}

const IPV6_NETWORK_GROUPS = 4

/** An IPv4 address, or the /64 network that an IPv6 subscriber has at least. */
export function networkOf(ip: string): string {
  if (!ip.includes(':')) return ip
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
