import type { Employee, Person } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { RegistryError } from '../kernel/error.js'
import type { Injected } from '../kernel/service.js'
import { Certificate, VerifyPresentCertificate } from '../signatures/index.js'
import { AuthenticationStore, type Holder } from './authentication-store.js'

const MINUTE = 60_000
/** How long a host may not know that a session was ended on another. */
const CACHED_MS = MINUTE
/** How long a good certificate status is valid. */
const GOOD_MS = 5 * MINUTE
/** How long sessions go on while the certificate status is unavailable. */
const GRACE = 60 * MINUTE
const MAX_CACHED = 10_000

/** Tells which sessions are active. A session is an authentication and its carrier, such as a token in a cookie. */
export class Sessions {
  static readonly inject = { authentications: AuthenticationStore, verify: VerifyPresentCertificate, clock: Clock }
  /** When sessions were last found active, in that order. */
  private readonly active = new Map<string, number>()
  private readonly renewing = new Map<string, Promise<boolean>>()

  constructor(private readonly use: Injected<typeof Sessions.inject>) {}

  /** False for a session that is not the caller's, or has ended; one ended on another host may pass for a minute. */
  async goesOn(caller: Person | Employee): Promise<boolean> {
    if (caller.sessionId === undefined) return false
    const now = this.use.clock.now()
    const key = keyOf(caller)
    const foundAt = this.active.get(key)
    if (foundAt !== undefined && now - foundAt < CACHED_MS) return true
    this.active.delete(key)
    const state = await this.use.authentications.state(caller)
    if (state === undefined || state.endedAt !== undefined) return false
    for (const oldest of this.active.keys()) {
      if (this.active.size < MAX_CACHED) break
      this.active.delete(oldest)
    }
    this.active.set(key, now)
    return true
  }

  /**
   * Whether a session may be renewed: its certificate status must be good, and at most five minutes old. While the status is
   * unavailable, the last good one counts for an hour. A certificate that is no longer good ends the session.
   */
  mayRenew(caller: Person | Employee): Promise<boolean> {
    const key = keyOf(caller)
    const renewal = this.renewing.get(key) ?? this.checkStatus(caller).finally(() => this.renewing.delete(key))
    this.renewing.set(key, renewal)
    return renewal
  }

  /** Ends a session for every host. */
  async end(caller: Person | Employee): Promise<void> {
    this.active.delete(keyOf(caller))
    await this.use.authentications.end(caller, this.use.clock.now())
  }

  private async checkStatus(caller: Person | Employee): Promise<boolean> {
    const state = await this.use.authentications.state(caller)
    if (state === undefined || state.endedAt !== undefined) return false
    const now = this.use.clock.now()
    const goodAt = state.goodAt ?? state.authAt
    if (now - goodAt < GOOD_MS) return true
    const [certificate, ...issuers] = (state.path ?? []).map((der) => Certificate.parse(Buffer.from(der, 'base64')))
    if (certificate === undefined) return now - goodAt < GRACE
    try {
      await this.use.verify.assertGood(certificate, issuers)
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error
      if (error.kind === 'unavailable') return now - goodAt < GRACE
      await this.end(caller)
      return false
    }
    await this.use.authentications.markGood(caller, now)
    return true
  }
}

/** Includes the claimed holder, so that somebody else with the same session id gets no cached answer. */
const keyOf = ({ sessionId, iin, bin, authorities }: Holder): string =>
  JSON.stringify([sessionId, iin, bin, authorities])
