import type { Employee, Person } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { RegistryError } from '../kernel/error.js'
import type { Injected } from '../kernel/service.js'
import { Certificate, VerifyPresentCertificate } from '../signatures/index.js'
import { AuthenticationStore, type Holder } from './authentication-store.js'

const MINUTE = 60_000
/** How long a host may not know that a session was ended on another. */
const KNOWN_FOR = MINUTE
/** How long a good status holds. */
const GOOD_FOR = 5 * MINUTE
/** How long sessions go on without a status, when it cannot be asked. */
const GRACE = 60 * MINUTE
const MAX_KNOWN = 10_000

/** Tells which sessions go on. A session is an authentication and what bears it, such as a token in a cookie. */
export class Sessions {
  static readonly inject = { authentications: AuthenticationStore, verify: VerifyPresentCertificate, clock: Clock }
  /** When sessions were last known to go on, in that order. */
  private readonly going = new Map<string, number>()
  private readonly asking = new Map<string, Promise<boolean>>()

  constructor(private readonly use: Injected<typeof Sessions.inject>) {}

  /** False for a session that is not the caller's, or was ended, on whatever host, at the latest a minute ago. */
  async goesOn(caller: Person | Employee): Promise<boolean> {
    if (caller.sessionId === undefined) return false
    const now = this.use.clock.now()
    const key = keyOf(caller)
    const known = this.going.get(key)
    if (known !== undefined && now - known < KNOWN_FOR) return true
    this.going.delete(key)
    const state = await this.use.authentications.state(caller)
    if (state === undefined || state.endedAt !== undefined) return false
    for (const oldest of this.going.keys()) {
      if (this.going.size < MAX_KNOWN) break
      this.going.delete(oldest)
    }
    this.going.set(key, now)
    return true
  }

  /**
   * Whether a session may be borne for longer: its certificate must still be good, as asked within the last five minutes.
   * When the status cannot be asked the last good one stands for an hour. A certificate that is no longer good ends it.
   */
  mayRenew(caller: Person | Employee): Promise<boolean> {
    const key = keyOf(caller)
    const asking = this.asking.get(key) ?? this.ask(caller).finally(() => this.asking.delete(key))
    this.asking.set(key, asking)
    return asking
  }

  /** Ends a session for every host. */
  async end(caller: Person | Employee): Promise<void> {
    this.going.delete(keyOf(caller))
    await this.use.authentications.end(caller, this.use.clock.now())
  }

  private async ask(caller: Person | Employee): Promise<boolean> {
    const state = await this.use.authentications.state(caller)
    if (state === undefined || state.endedAt !== undefined) return false
    const now = this.use.clock.now()
    const goodAt = state.goodAt ?? state.authAt
    if (now - goodAt < GOOD_FOR) return true
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

/** A session together with its claimed holder: somebody else who names the same session gets no cached answer. */
const keyOf = ({ sessionId, iin, bin, authorities }: Holder): string =>
  JSON.stringify([sessionId, iin, bin, authorities])
