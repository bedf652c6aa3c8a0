import { workerData } from 'node:worker_threads'
import { hasEnded, RegistryError, type Trust, verifySignature } from '@signed-registry/verifier'
import { readSignature } from './read-signature.js'
import { serveJobs } from './serve-jobs.js'
import { verifiedSignature } from './signature-facts.js'
import type { SignaturePolicy } from './signature-policy.js'
import type { SignatureInput, VerifiedSignature } from './signature-verifier.js'
import { readTrust, type TrustBytes } from './trust-bytes.js'

/** A signature to verify as of `now` (ms). */
export interface VerificationJob {
  readonly input: SignatureInput
  readonly now: number
}

/** A valid signature; `undefined` leaves the verdict to the caller. */
export type Found = VerifiedSignature | undefined

const policy: SignaturePolicy = workerData
let trust: Trust = { anchors: [], intermediates: [] }

serveJobs<TrustBytes, readonly VerificationJob[], readonly Found[]>({
  told: (bytes) => {
    trust = readTrust(bytes)
  },
  answer: (jobs) => ({ answer: jobs.map(judged) }),
})

/** Only a signature with all its evidence that names its signer needs neither authorities nor the database. */
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
