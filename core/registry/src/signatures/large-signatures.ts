import { type ReadSignature, RegistryError } from '@signed-registry/verifier'
import { Clock } from '../kernel/clock.js'
import { Logger } from '../kernel/logger.js'
import { port } from '../kernel/port.js'
import type { Injected } from '../kernel/service.js'
import type { BundledDocument, BundledReport } from './bundled-report.js'
import { received } from './carried-signature.js'
import { largeSignatureErrors } from './errors.js'
import { JobThread } from './job-thread.js'
import type { JudgedInput, JudgedSignature } from './judgement.js'
import type { LargeAnswer, LargeJob } from './large-worker.js'
import { TrustStore } from './ports.js'
import type { SignatureSource } from './read-signature.js'
import type { MadeReport, ReportedInput } from './reported-files.js'
import { SignaturePolicy } from './signature-policy.js'
import { type TrustBytes, trustBytes } from './trust-bytes.js'

const MAX_WAITING = 16
/** The slowest known signature takes a second. */
const MAX_SILENCE_MS = 20_000
/** Heap of the thread, without the bytes of the signature. */
const MAX_MEMORY_MIB = 256

/**
 * Parses and verifies large signatures in a thread of its own: hashing the content of a CMS, or parsing one that was crafted
 * to be slow, may take a second, which would block other requests.
 */
export class LargeSignatures {
  static readonly inject = { trustStore: TrustStore, policy: SignaturePolicy, clock: Clock, logger: Logger }
  private readonly thread: JobThread<TrustBytes, LargeJob, LargeAnswer>

  constructor(private readonly use: Injected<typeof LargeSignatures.inject>) {
    this.thread = new JobThread({
      does: 'reads large signatures',
      module: new URL('./large-worker.js', import.meta.url),
      workerData: use.policy,
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MIB },
      silenceMs: MAX_SILENCE_MS,
      knows: () => trustBytes(use.trustStore.trust()),
      logger: use.logger,
    })
  }

  /** As `readSignature`. Rejects with `largeSignatureNotRead` where too many wait, or the thread ended. */
  async read(source: SignatureSource): Promise<ReadSignature> {
    const answer = await this.ask({ read: source, now: this.use.clock.now() })
    if (!('signature' in answer)) throw otherAnswer()
    return received(answer.signature)
  }

  /** As `judgeSignature`. Rejects with `largeSignatureNotRead` where too many wait, or the thread ended. */
  async judge(input: JudgedInput): Promise<JudgedSignature> {
    const answer = await this.ask({ judge: input, now: this.use.clock.now() })
    if (!('judged' in answer)) throw otherAnswer()
    return answer.judged
  }

  /** As `reportFiles`. Rejects with `largeSignatureNotRead` where too many wait, or the thread ended. */
  async report(input: ReportedInput): Promise<MadeReport> {
    const answer = await this.ask({ report: input, now: this.use.clock.now() })
    if (!('report' in answer)) throw otherAnswer()
    return answer.report
  }

  /** As `reportBundle`, as of a moment. Rejects with `largeSignatureNotRead` where too many wait, or the thread ended. */
  async reportBundle(bundle: readonly BundledDocument[], at: number): Promise<BundledReport> {
    const answer = await this.ask({ bundle, now: at })
    if (!('bundle' in answer)) throw otherAnswer()
    return answer.bundle
  }

  close(): Promise<void> {
    return this.thread.close()
  }

  private async ask(job: LargeJob): Promise<LargeAnswer> {
    if (this.thread.waiting >= MAX_WAITING) throw notRead('tooMany', { most: MAX_WAITING })
    const answer = await this.thread.ask(job)
    if (answer === undefined) throw notRead('threadEnded')
    if (!('refusal' in answer)) return answer
    const { code, details, ...text } = answer.refusal
    throw new RegistryError(code, text, { details })
  }
}

const otherAnswer = () => new TypeError('The thread that reads large signatures answered another job')

const notRead = (reason: string, facts: object = {}) =>
  largeSignatureErrors.error('largeSignatureNotRead', { reason, ...facts })

export const LargeReading = port<Pick<LargeSignatures, 'read' | 'judge' | 'report' | 'reportBundle'>>(
  'LargeReading',
  'defaulted',
)
