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

/** Proof of a good status: an OCSP response or CRLs. */
export type StatusProof =
  | { readonly status: CertificateStatus; readonly crlProof: undefined }
  | { readonly status: undefined; readonly crlProof: CrlProof }

/** The certificate, time and path for which the status is to be proved. */
export interface StatusQuestion extends StatusContext {
  readonly certificate: Certificate
  readonly issuer: Certificate
  readonly path: CertificatePath
  readonly time: number
}

/**
 * Proves from available evidence that a certificate was good: by an OCSP response, else by CRLs. Contradicting evidence is not
 * looked for here; responses that prove nothing are reported by `note`. Throws the most relevant error.
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

/** Proves the status by CRLs; those whose signer's key may be compromised prove nothing. */
export function proveStatusByCrls(question: StatusQuestion): StatusProof {
  const { certificate, path, evidence } = question
  const crlProof = proveByCrls(certificate, { ...question, crls: evidence?.crls })
  requireKeysBeyondDoubt(path.certificates.slice(1), question)
  for (const crl of crlProof.crls) requireReliedSigner(crl, crlProof, question)
  return { status: undefined, crlProof }
}

/** A separate CRL issuer must meet the same rules: not revoked when it signed, key not possibly compromised. */
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

/** Relevance of errors: revoked, unknown status, a response that proves nothing, nothing at all. */
function rankOf({ code, details }: RegistryError): number {
  if (code !== 'invalidCertificateStatus') return 2
  return details?.reason === 'revoked' ? 4 : details?.reason === 'undetermined' ? 1 : 3
}
