import { Batch, type BatchLimits } from '../kernel/batch.js'
import { Clock } from '../kernel/clock.js'
import { Logger } from '../kernel/logger.js'
import { port } from '../kernel/port.js'
import type { Injected } from '../kernel/service.js'
import { JobThread } from './job-thread.js'
import { SignatureLimits } from './limits.js'
import { TrustStore } from './ports.js'
import { isLarge } from './read-signature.js'
import { SignaturePolicy } from './signature-policy.js'
import type { SignatureInput, VerifiedSignature } from './signature-verifier.js'
import { type TrustBytes, trustBytes } from './trust-bytes.js'
import type { Found, VerificationJob } from './verification-worker.js'

const SECOND = 1000
/** Signatures that may wait for the thread; further ones are verified here. */
const MAX_WAITING = 256
/** Small, so that the signatures of the next turn do not wait long. */
const LIMITS: BatchLimits = { items: 8, atOnce: Number.POSITIVE_INFINITY }
/** Delay before a thread that failed is replaced. */
const RESTART_MS = 60_000
/** Signatures that are not large are verified in milliseconds. */
const MAX_SILENCE_MS = 20_000

/**
 * Verifies signatures in a thread under load, which frees the main thread. Those of one turn of the event loop are sent in one
 * batch, since a message costs a fifth of a registration's work in the main thread. It only confirms valid signatures: the
 * caller verifies all others itself and says why it refuses them, so a lost thread loses nothing.
 */
export class VerificationThread {
  static readonly inject = {
    trustStore: TrustStore,
    policy: SignaturePolicy,
    clock: Clock,
    limits: SignatureLimits,
    logger: Logger,
  }
  private readonly thread: JobThread<TrustBytes, readonly VerificationJob[], readonly Found[]>
  private readonly jobs = new Batch((jobs: readonly VerificationJob[]) => this.askAll(jobs), LIMITS)
  private waiting = 0
  private restsUntil = 0
  private busyUntil = 0

  constructor(private readonly use: Injected<typeof VerificationThread.inject>) {
    this.thread = new JobThread({
      does: 'verifies signatures',
      module: new URL('./verification-worker.js', import.meta.url),
      workerData: use.policy,
      silenceMs: MAX_SILENCE_MS,
      knows: () => trustBytes(use.trustStore.trust()),
      logger: use.logger,
      ended: () => this.rest(RESTART_MS),
    })
  }

  /** The verified signature; `undefined` for one that is invalid or large, and while few are under way. */
  async verify(input: SignatureInput): Promise<VerifiedSignature | undefined> {
    if (isLarge(input) || this.waiting >= MAX_WAITING || this.isResting) return undefined
    this.waiting += 1
    try {
      return await this.jobs.run({ input, now: this.use.clock.now() })
    } finally {
      this.waiting -= 1
    }
  }

  private async askAll(jobs: readonly VerificationJob[]): Promise<readonly Found[]> {
    const found = this.isBusy && !this.isResting ? await this.thread.ask(jobs) : undefined
    return found ?? jobs.map(() => undefined)
  }

  /** Ends the thread; callers verify what waits for it. */
  async close(): Promise<void> {
    this.rest(Number.POSITIVE_INFINITY)
    await this.thread.close()
  }

  /** Stays so for a second: to go to and fro would keep both threads half warm, and fill the caches of both. */
  private get isBusy(): boolean {
    const now = performance.now()
    if (this.waiting > this.use.limits.signaturesVerifiedHere) this.busyUntil = now + SECOND
    return now < this.busyUntil
  }

  private get isResting(): boolean {
    return performance.now() < this.restsUntil
  }

  private rest(ms: number): void {
    this.restsUntil = Math.max(this.restsUntil, performance.now() + ms)
  }
}

export const Verification = port<Pick<VerificationThread, 'verify'>>('Verification', 'defaulted')
