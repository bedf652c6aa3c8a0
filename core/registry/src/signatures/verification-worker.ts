import { workerData } from 'node:worker_threads'
import { hasEnded, RegistryError, type Trust, verifySignature } from '@signed-registry/verifier'
import { readSignature } from './read-signature.js'
import { serveJobs } from './serve-jobs.js'
import { verifiedSignature } from './signature-facts.js'
import type { SignaturePolicy } from './signature-policy.js'
import type { SignatureInput, VerifiedSignature } from './signature-verifier.js'
import { readTrust, type TrustBytes } from './trust-bytes.js'

/** What is to be judged as of `now` (ms). */
export interface VerificationJob {
  readonly input: SignatureInput
  readonly now: number
}

/** A signature that is good, or nothing, so that whoever asked has to judge it. */
export type Found = VerifiedSignature | undefined

const policy: SignaturePolicy = workerData
let trust: Trust = { anchors: [], intermediates: [] }

serveJobs<TrustBytes, readonly VerificationJob[], readonly Found[]>({
  told: (bytes) => {
    trust = readTrust(bytes)
  },
  answer: (jobs) => ({ answer: jobs.map(judged) }),
})

/** Only what carries all its evidence and names its signer can be judged without authorities and database. */
function judged({ input, now }: VerificationJob): Found {
  try {
    const read = readSignature(input, { algorithms: policy.algorithms, at: now })
    const { timeStamp, ocsp } = read
    if (timeStamp === undefined || ocsp === undefined) return undefined
    const signingCertificate = policy.signingCertificate === 'known' ? 'required' : policy.signingCertificate
    const context = { ...policy, signingCertificate, trust, now }
    const proof = verifySignature(read, { timeStamp: timeStamp.token, ocsp }, context)
    return hasEnded(proof.timeStamp, now) ? undefined : verifiedSignature(read, proof)
  } catch (error) {
    if (error instanceof RegistryError) return undefined
    throw error
  }
}
