import type { Employee, Person } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { RegistryError } from '../kernel/error.js'
import type { Injected } from '../kernel/service.js'
import { Certificate, VerifyPresentCertificate } from '../signatures/index.js'
import { AuthenticationStore } from './authentication-store.js'

const MINUTE = 60_000
/** How long a host may not know that a session was ended on another. */
const KNOWN_FOR = MINUTE
/** How long a good status holds. */
const GOOD_FOR = 5 * MINUTE
/** How long sessions go on without a status, when it cannot be asked. */
const GRACE = 60 * MINUTE
const MOST_KNOWN = 10_000

/** Tells which sessions go on. A session is an authentication and what bears it, such as a token in a cookie. */
export class Sessions {
  static readonly inject = { authentications: AuthenticationStore, verify: VerifyPresentCertificate, clock: Clock }
  /** When sessions were last known to go on, in that order. */
  private readonly going = new Map<number, number>()
  private readonly asking = new Map<number, Promise<boolean>>()

  constructor(private readonly use: Injected<typeof Sessions.inject>) {}

  /** False for a session that was ended, on whatever host, at the latest a minute ago. */
  async goesOn({ authenticationId: id }: Person | Employee): Promise<boolean> {
    if (id === undefined) return false
    const now = this.use.clock.now()
    const known = this.going.get(id)
    if (known !== undefined && now - known < KNOWN_FOR) return true
    this.going.delete(id)
    const state = await this.use.authentications.state(id)
    if (state === undefined || state.endedAt !== undefined) return false
    for (const oldest of this.going.keys()) {
      if (this.going.size < MOST_KNOWN) break
      this.going.delete(oldest)
    }
    this.going.set(id, now)
    return true
  }

  /**
   * Whether a session may be borne for longer: its certificate must still be good, as asked within the last five minutes.
   * When the status cannot be asked the last good one stands for an hour. A certificate that is no longer good ends it.
   */
  mayRenew({ authenticationId: id }: Person | Employee): Promise<boolean> {
    if (id === undefined) return Promise.resolve(false)
    const asking = this.asking.get(id) ?? this.ask(id).finally(() => this.asking.delete(id))
    this.asking.set(id, asking)
    return asking
  }

  /** Ends a session for every host. */
  async end({ authenticationId: id }: Person | Employee): Promise<void> {
    if (id !== undefined) await this.endById(id)
  }

  private async endById(id: number): Promise<void> {
    this.going.delete(id)
    await this.use.authentications.end(id, this.use.clock.now())
  }

  private async ask(id: number): Promise<boolean> {
    const state = await this.use.authentications.state(id)
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
      await this.endById(id)
      return false
    }
    await this.use.authentications.markGood(id, now)
    return true
  }
}
