import type { AlgorithmPolicy } from './algorithms/policy.js'
import { Checks } from './checks.js'
import { signatureErrors } from './errors.js'
import { buildPath, type CertificatePath } from './path/build-path.js'
import type { Trust } from './path/trust.js'
import { type CrlProof, proveByCrls, readKeptCrls } from './status/crl-proof.js'
import { type CertificateStatus, verifyOcsp } from './status/verify-ocsp.js'
import { type TimeStamp, verifyTimeStamp } from './timestamp/verify-time-stamp.js'
import type { Certificate } from './x509/certificate.js'

/** A signer, and the certificates that came along. */
export interface Signer {
  readonly signer: Certificate
  readonly certificates: readonly Certificate[]
}

/** Evidence as stored: a time-stamp token, the bytes that it is over, and an OCSP answer, or CRLs in its place. */
export interface KeptEvidence {
  readonly timeStamp: { readonly token: Uint8Array; readonly imprinted: Uint8Array }
  readonly ocsp: Uint8Array | undefined
  /** CRLs in DER, looked at where there is no OCSP answer. */
  readonly crls?: readonly Uint8Array[]
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
  /** What OCSP says of the signer at that time; absent where CRLs say it. */
  readonly status: CertificateStatus | undefined
  /** What CRLs say of the signer at that time; absent where OCSP says it. */
  readonly crlProof: CrlProof | undefined
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
  const { signer: certificate, certificates: candidates } = signer
  const { ocsp, crls = [] } = kept
  const status = checks.run('status', subject, time, () => {
    const issuer = issuerIn(path)
    if (ocsp === undefined)
      return { crlProof: proveByCrls(certificate, { ...context, candidates, time, kept: readKeptCrls(crls) }) }
    return { status: verifyOcsp(ocsp, { ...context, certificate, issuer, time }) }
  })
  return { timeStamp, path, status: undefined, crlProof: undefined, ...status }
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
