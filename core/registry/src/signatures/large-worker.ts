import { workerData } from 'node:worker_threads'
import { type ErrorDetails, type ErrorKind, RegistryError, type Trust } from '@signed-registry/verifier'
import { type BundledDocument, type BundledReport, reportBundle } from './bundled-report.js'
import { type CarriedSignature, carry } from './carried-signature.js'
import { type JudgedInput, type JudgedSignature, judgeSignature } from './judgement.js'
import { readSignature, type SignatureSource } from './read-signature.js'
import { type MadeReport, type ReportedInput, reportFiles } from './reported-files.js'
import { serveJobs } from './serve-jobs.js'
import type { SignaturePolicy } from './signature-policy.js'
import { readTrust, type TrustBytes } from './trust-bytes.js'

/** What to parse, verify or report on, as of `now` (ms). */
export type LargeJob = { readonly now: number } & (
  | { readonly read: SignatureSource }
  | { readonly judge: JudgedInput }
  | { readonly report: ReportedInput }
  | { readonly bundle: readonly BundledDocument[] }
)

/** The result of a job. */
export type LargeAnswer =
  | { readonly signature: CarriedSignature }
  | { readonly judged: JudgedSignature }
  | { readonly report: MadeReport }
  | { readonly bundle: BundledReport }
  | { readonly refusal: Refusal }

/** An error that can be posted between threads. */
export interface Refusal {
  readonly code: string
  readonly kind: ErrorKind
  readonly message: string
  readonly details: ErrorDetails | undefined
}

const policy: SignaturePolicy = workerData
let trust: Trust = { anchors: [], intermediates: [] }

serveJobs<TrustBytes, LargeJob, LargeAnswer>({
  told: (bytes) => {
    trust = readTrust(bytes)
  },
  answer(job) {
    try {
      return done(job)
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error
      const { code, kind, message, details } = error
      return { answer: { refusal: { code, kind, message, details } } }
    }
  },
})

function done(job: LargeJob): { answer: LargeAnswer; transferred?: readonly ArrayBuffer[] } {
  const { now } = job
  if ('judge' in job) return { answer: { judged: judgeSignature(job.judge, { policy, trust, now }) } }
  if ('report' in job) return { answer: { report: reportFiles(job.report, { policy, trust, now }) } }
  if ('bundle' in job) return { answer: { bundle: reportBundle(job.bundle, { policy, trust, now }) } }
  const { carried, buffers } = carry(readSignature(job.read, { algorithms: policy.algorithms, at: now }))
  return { answer: { signature: carried }, transferred: buffers }
}
