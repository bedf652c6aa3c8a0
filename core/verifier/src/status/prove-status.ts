import { RegistryError } from '../error.js'
import { signatureErrors } from '../errors.js'
import { ocspRefusal } from '../evidence-refusal.js'
import { buildPath } from '../path/build-path.js'
import type { CertificatePath } from '../path/path-context.js'
import type { UnusedEvidence } from '../signature.js'
import type { Certificate } from '../x509/certificate.js'
import type { Crl } from '../x509/crl.js'
import { keyInDoubt, responsesFor } from './authentic-answers.js'
import { type CrlProof, proveByCrls } from './crl-proof.js'
import type { OcspAnswer } from './ocsp-answer.js'
import type { StatusContext } from './status-context.js'
import { requireNotRevoked } from './unrevoked-path.js'
import { type CertificateStatus, verifyAnswer } from './verify-ocsp.js'

/** What says that a certificate was good: an OCSP answer, or CRLs. */
export type StatusProof =
  | { readonly status: CertificateStatus; readonly crlProof: undefined }
  | { readonly status: undefined; readonly crlProof: CrlProof }

/** Whose status at which time is to be proved, and the path that it stands on. */
export interface StatusQuestion extends StatusContext {
  readonly certificate: Certificate
  readonly issuer: Certificate
  readonly path: CertificatePath
  readonly time: number
}

/**
 * Proves from the evidence at hand that a certificate was good: by an OCSP answer about it, else by CRLs. That nothing says
 * otherwise is not asked here; answers that prove nothing are noted. Throws what the best answer is refused for, or `invalidCertificateStatus`.
 */
export function proveStatus(question: StatusQuestion, note: (unused: UnusedEvidence) => void = () => {}): StatusProof {
  const { certificate, issuer, evidence } = question
  const answers = evidence?.answers ?? []
  const ours = answers.filter((answer) => responsesFor(answer, certificate, issuer).length > 0)
  const refusals: RegistryError[] = []
  for (const answer of ours.toReversed()) {
    const proof = orRefusal(refusals, () => judged(answer, question))
    if (proof !== undefined) return proof
    note({ kind: 'ocsp', reason: String(refusals.at(-1)?.details?.reason), time: answer.basic.producedAt })
  }
  const byCrls = orRefusal(refusals, () => proveStatusByCrls(question))
  if (byCrls !== undefined) return byCrls
  if (answers.length > 0 && ours.length === 0)
    throw ocspRefusal('otherCertificate', { serialNumber: certificate.serialNumber })
  throw refusals.reduce((best, one) => (rankOf(one) > rankOf(best) ? one : best))
}

const judged = (answer: OcspAnswer, question: StatusQuestion): StatusProof => ({
  status: verifyAnswer(() => answer, question),
  crlProof: undefined,
})

/** By CRLs, of which those prove nothing whose signer's key somebody else may have. */
export function proveStatusByCrls(question: StatusQuestion): StatusProof {
  const { certificate, path, evidence } = question
  const crlProof = proveByCrls(certificate, { ...question, crls: evidence?.crls })
  requireKeysBeyondDoubt(path.certificates.slice(1), question)
  for (const crl of crlProof.crls) requireReliedSigner(crl, crlProof, question)
  return { status: undefined, crlProof }
}

/** An issuer of CRLs alone is held to what an issuer is: not revoked when it signed, and its key in nobody else's hands. */
function requireReliedSigner(crl: Crl, { signers }: CrlProof, question: StatusQuestion): void {
  const signer = signers.find(({ subject }) => subject.equals(crl.issuer))
  if (signer === undefined || signer.fingerprint === question.issuer.fingerprint) return
  const { trust, candidates, now, algorithms, evidence } = question
  const time = Math.max(question.time, crl.thisUpdate)
  const { certificates } = buildPath(signer, { trust, candidates, now, algorithms, time, crls: evidence?.crls })
  requireKeysBeyondDoubt(certificates, question)
  requireNotRevoked(certificates, time, question)
}

function requireKeysBeyondDoubt(certificates: readonly Certificate[], question: StatusQuestion): void {
  const doubt = keyInDoubt(certificates, question)
  if (doubt !== undefined) throw signatureErrors.error('invalidCertificateStatus', { reason: 'keyInDoubt', ...doubt })
}

function orRefusal<T>(refusals: RegistryError[], prove: () => T): T | undefined {
  try {
    return prove()
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    refusals.push(error)
    return undefined
  }
}

/** What is said: a revocation before an unknown status, before an answer that proves nothing, before no answer at all. */
function rankOf({ code, details }: RegistryError): number {
  if (code !== 'invalidCertificateStatus') return 2
  return details?.reason === 'revoked' ? 4 : details?.reason === 'undetermined' ? 1 : 3
}
