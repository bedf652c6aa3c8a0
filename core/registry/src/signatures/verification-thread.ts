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
/** Signatures that wait for the thread before others are judged here. */
const MAX_WAITING = 256
/** So that a signature that comes in the next turn does not wait for many others. */
const LIMITS: BatchLimits = { items: 8, atOnce: Number.POSITIVE_INFINITY }
/** How long there is no thread after one that ended by itself. */
const REST_MS = 60_000
/** What is not large is judged in milliseconds. */
const SILENCE_MS = 20_000

/**
 * Judges signatures in a thread of their own while many come, so that the thread that serves requests is free for the rest.
 * Those that come in one turn of the event loop go there together, and come back together: a message costs a fifth of what
 * the main thread does for a registration, and what comes together is asked of the database and stored together.
 * It says yes or nothing: whatever it does not find good is judged by whoever asked, who says why. So it cannot refuse
 * anybody, and a thread that ends takes nothing with it.
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
  private readonly second = { begun: 0, asked: 0, wasBusy: false }

  constructor(private readonly use: Injected<typeof VerificationThread.inject>) {
    this.thread = new JobThread({
      does: 'verifies signatures',
      module: new URL('./verification-worker.js', import.meta.url),
      workerData: use.policy,
      silenceMs: SILENCE_MS,
      knows: () => trustBytes(use.trustStore.trust()),
      logger: use.logger,
      ended: () => this.rest(REST_MS),
    })
  }

  /** What the thread finds good; `undefined` for anything else, for what is large, and while few signatures come. */
  async verify(input: SignatureInput): Promise<VerifiedSignature | undefined> {
    if (isLarge(input) || !this.isBusy() || this.waiting >= MAX_WAITING) return undefined
    if (this.isResting) return undefined
    this.waiting += 1
    try {
      return await this.jobs.run({ input, now: this.use.clock.now() })
    } finally {
      this.waiting -= 1
    }
  }

  private async askAll(jobs: readonly VerificationJob[]): Promise<readonly Found[]> {
    const found = this.isResting ? undefined : await this.thread.ask(jobs)
    return found ?? jobs.map(() => undefined)
  }

  /** Ends the thread; what waits for it is judged here. */
  async close(): Promise<void> {
    this.rest(Number.POSITIVE_INFINITY)
    await this.thread.close()
  }

  /** Whether more signatures come than are judged here, in this second or the one before. */
  private isBusy(): boolean {
    const now = performance.now()
    const { second } = this
    const { signaturesVerifiedHere: few } = this.use.limits
    if (now >= second.begun + SECOND) {
      second.wasBusy = now < second.begun + 2 * SECOND && second.asked > few
      second.begun = now
      second.asked = 0
    }
    second.asked += 1
    return second.wasBusy || second.asked > few
  }

  private get isResting(): boolean {
    return performance.now() < this.restsUntil
  }

  private rest(ms: number): void {
    this.restsUntil = Math.max(this.restsUntil, performance.now() + ms)
  }
}

export const Verification = port<Pick<VerificationThread, 'verify'>>('Verification', 'defaulted')
