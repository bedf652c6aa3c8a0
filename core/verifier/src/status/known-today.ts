import { defaultAlgorithmPolicy, withoutEnds } from '../algorithms/policy.js'
import { signatureErrors } from '../errors.js'
import { buildPath } from '../path/build-path.js'
import type { CertificatePath } from '../path/path-context.js'
import type { Certificate } from '../x509/certificate.js'
import { keyInDoubt } from './authentic-answers.js'
import { revokedByCrls } from './key-revoked-by-crls.js'
import type { StatusProof } from './prove-status.js'
import type { StatusContext } from './status-context.js'
import { requireNotRevoked, revokedRefusal } from './unrevoked-path.js'

/** A signer's certificate that was proved good at a time, as of when somebody else saw the proof; milliseconds. */
export interface ProvedThen {
  readonly path: CertificatePath
  readonly time: number
  readonly existedAt: number
}

/**
 * What is known today counts against a proof of then, too (EN 319 102-1, past signature validation): that a certificate of its path was
 * revoked at the time that it proves, or that a key that tells the status was lost before somebody else saw it. That the algorithms of
 * what says so have ended since is no reason not to listen. Throws `invalidCertificateStatus`.
 */
export function requireGoodToday(proved: ProvedThen, { status, crlProof }: StatusProof, context: StatusContext): void {
  const rules = { ...context, algorithms: withoutEnds(context.algorithms ?? defaultAlgorithmPolicy) }
  const today = { ...rules, evidence: (context.against ?? context.evidence)?.anew(rules) }
  const { path, time, existedAt } = proved
  const { certificates } = path
  requireNeverRevoked(certificates, time, today)
  const above = certificates.slice(1)
  requireKeysKept(above, existedAt, today)
  const delegate = status?.responder
  if (delegate !== undefined && !above.some(({ fingerprint }) => fingerprint === delegate.fingerprint)) {
    requireNeverRevoked([delegate, ...above], status?.producedAt ?? time, today)
    requireKeysKept([delegate, ...above], existedAt, today)
  }
  for (const signer of crlProof?.signers ?? []) {
    const { trust, candidates, now, algorithms } = today
    const own = buildPath(signer, { trust, candidates, now, algorithms, time, crlUse: 'none' }).certificates
    requireNeverRevoked(own, time, today)
    requireKeysKept(own, existedAt, today)
  }
}

function requireNeverRevoked(certificates: readonly Certificate[], time: number, today: StatusContext): void {
  for (const [index, certificate] of certificates.slice(0, -1).entries()) {
    const own = certificates.slice(index)
    const found = revokedByCrls(own, today, time)
    if (found !== undefined) throw revokedRefusal(certificate, time, { ...found, isAuthority: index > 0 })
    requireNotRevoked(own, time, today, index > 0)
  }
}

function requireKeysKept(certificates: readonly Certificate[], existedAt: number, today: StatusContext): void {
  const doubt = keyInDoubt(certificates, today, existedAt)
  if (doubt === undefined) return
  throw signatureErrors.error('invalidCertificateStatus', { reason: 'keyInDoubt', ...doubt, existedAt })
}
