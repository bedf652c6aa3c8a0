import type { AlgorithmPolicy } from './algorithms/policy.js'
import { Checks } from './checks.js'
import { signatureErrors } from './errors.js'
import { buildPath, type CertificatePath } from './path/build-path.js'
import type { Trust } from './path/trust.js'
import { type CertificateStatus, verifyOcsp } from './status/verify-ocsp.js'
import { type TimeStamp, verifyTimeStamp } from './timestamp/verify-time-stamp.js'
import type { Certificate } from './x509/certificate.js'

/** A signer, and the certificates that came along. */
export interface Signer {
  readonly signer: Certificate
  readonly certificates: readonly Certificate[]
}

/** Evidence as stored: a time-stamp token, the bytes that it is over, and an OCSP answer. */
export interface KeptEvidence {
  readonly timeStamp: { readonly token: Uint8Array; readonly imprinted: Uint8Array }
  readonly ocsp: Uint8Array
}

/** What evidence is judged by. */
export interface EvidenceContext {
  readonly trust: Trust
  /** The clock, milliseconds since the epoch. */
  readonly now: number
  readonly algorithms?: AlgorithmPolicy
}

/** Proof of when a signature existed, and that its certificate was good then. */
export interface SignatureProof {
  readonly timeStamp: TimeStamp
  /** From the signer to a trust anchor, at the stamped time. */
  readonly path: CertificatePath
  readonly status: CertificateStatus
}

/**
 * Judges a signature's stored evidence without any network: the time stamp, the path at the stamped time, the status at
 * the stamped time. Throws the coded error of the part that fails.
 */
export function verifyEvidence(
  signer: Signer,
  kept: KeptEvidence,
  context: EvidenceContext,
  checks = new Checks(),
): SignatureProof {
  const { token, imprinted } = kept.timeStamp
  const { subject } = signer.signer
  const timeStamp = checks.run('timeStamp', subject, context.now, () =>
    verifyTimeStamp(token, imprinted, { ...context, candidates: signer.certificates }),
  )
  const { genTime: time } = timeStamp
  const path = checks.run('path', subject, time, () => signerPath(signer, time, context))
  const status = checks.run('status', subject, time, () => {
    return verifyOcsp(kept.ocsp, { ...context, certificate: signer.signer, issuer: issuerIn(path), time })
  })
  return { timeStamp, path, status }
}

/** The signer's path at a time; throws as `buildPath` does. */
export function signerPath({ signer, certificates }: Signer, time: number, context: EvidenceContext): CertificatePath {
  return buildPath(signer, { ...context, candidates: certificates, time })
}

/** The certificate above the signer's; a trust anchor may not sign documents itself. */
export function issuerIn({ certificates }: CertificatePath): Certificate {
  const issuer = certificates[1]
  if (issuer === undefined) throw signatureErrors.error('certificatePathNotBuilt', { reason: 'signerIsTrustAnchor' })
  return issuer
}
