import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { refuseSystems } from './callers.js'
import { newNonce } from './nonce.js'
import { NonceStore } from './nonce-store.js'
import type { AuthenticationNonce } from './schema.js'

const LIFE = 5 * 60_000
/** A signature over an expired nonce is still no signature of a document. */
const REMEMBERED = 24 * 60 * 60_000
const TIDY_EVERY = 60_000

/** Gives out a nonce to sign (specification, `POST /api/auth`, nonce request). */
export class RequestNonce {
  static readonly inject = [NonceStore, Clock] as const

  #tidiedAt = Number.NEGATIVE_INFINITY

  constructor(
    private readonly nonces: NonceStore,
    private readonly clock: Clock,
  ) {}

  async execute(caller: Caller): Promise<AuthenticationNonce> {
    refuseSystems(caller)
    const [nonce, now] = [newNonce(), this.clock.now()]
    await this.#tidy(now)
    await this.nonces.add(nonce, now + LIFE)
    return { nonce: nonce.toString('base64') }
  }

  async #tidy(now: number): Promise<void> {
    if (now - this.#tidiedAt < TIDY_EVERY) return
    this.#tidiedAt = now
    await this.nonces.forget(now - REMEMBERED)
  }
}
