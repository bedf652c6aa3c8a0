import { DerError } from '../der/reader.js'
import { RegistryError } from '../error.js'
import { ocspRefusal } from '../evidence-refusal.js'
import type { Certificate } from '../x509/certificate.js'
import { isKeyInDoubt } from '../x509/revoked-entry.js'
import type { Revocation, SingleResponse } from './basic-ocsp-response.js'
import { namesCertificate } from './cert-id.js'
import { keyRevokedByCrls } from './key-revoked-by-crls.js'
import { type OcspAnswer, refuseUnusable } from './ocsp-answer.js'
import { authorisedResponder } from './responder.js'
import { coversTime, isRevokedAt } from './revocation-time.js'
import type { StatusContext } from './status-context.js'

const NONE: readonly SingleResponse[] = []

/**
 * Responses about the first certificate of a path (leaf first, anchor last) by authorised responders. Responders with a possibly
 * compromised key are included, since a revocation counts even so; for a good status use `responderOf`.
 */
export function authenticAnswers(path: readonly Certificate[], context: StatusContext): readonly SingleResponse[] {
  return answersBy(findResponder, path, context)
}

type ResponderCheck = (answer: OcspAnswer, path: readonly Certificate[], context: StatusContext) => unknown

/** Responses about the first certificate of a path whose responder passes the check. */
function answersBy(
  check: ResponderCheck,
  path: readonly Certificate[],
  context: StatusContext,
): readonly SingleResponse[] {
  const [certificate, issuer] = path
  const { evidence } = context
  if (certificate === undefined || issuer === undefined || evidence === undefined || evidence.answers.length === 0)
    return NONE
  const found: SingleResponse[] = []
  for (const answer of evidence.answers) {
    const ours = responsesFor(answer, certificate, issuer)
    if (ours.length === 0) continue
    try {
      refuseUnusable(answer, ours, context.now)
      check(answer, path, context)
      found.push(...ours)
    } catch (error) {
      if (!(error instanceof DerError) && !(error instanceof RegistryError)) throw error
    }
  }
  return found
}

/** The single responses about a certificate. */
export function responsesFor(
  { basic }: OcspAnswer,
  certificate: Certificate,
  issuer: Certificate,
): readonly SingleResponse[] {
  const isOurs = ({ certId }: SingleResponse) => namesCertificate(certId, certificate, issuer)
  return basic.responses.some(isOurs) ? basic.responses.filter(isOurs) : NONE
}

/**
 * The responder that signed an answer about the first certificate of a path: authorised by the issuer, not revoked at that time,
 * and its key not possibly compromised. Throws `invalidOcspData` and `algorithmNotTrusted`.
 */
export function responderOf(answer: OcspAnswer, path: readonly Certificate[], context: StatusContext): Certificate {
  const responder = findResponder(answer, path, context)
  const above = path.slice(1)
  const keys = responder === above[0] ? above : [responder, ...above]
  const doubt = keyInDoubt(keys, context)
  if (doubt !== undefined) throw ocspRefusal('keyInDoubt', { ...doubt })
  const revoked = keys === above ? undefined : revokedByAnswers(keys, answer.basic.producedAt, context)
  if (revoked !== undefined) throw ocspRefusal('responderRevoked', { responder: responder.subject.toString() })
  return responder
}

/** The authorised responder that signed an answer, cached per answer. */
function findResponder(answer: OcspAnswer, path: readonly Certificate[], context: StatusContext): Certificate {
  const { evidence } = context
  const check = () =>
    authorisedResponder(answer.basic, path, context, (delegate) => isShownGood(delegate, answer, path, context))
  if (evidence === undefined) return check()
  const key = path
    .slice(1)
    .map(({ fingerprint }) => fingerprint)
    .join()
  const byPath = evidence.responders.get(answer) ?? new Map<string, Certificate | RegistryError>()
  const found = byPath.get(key) ?? outcomeOf(check)
  evidence.responders.set(answer, byPath.set(key, found))
  if (found instanceof RegistryError) throw found
  return found
}

/** Whether another response proves a delegate's good status, from a responder that needs no such proof itself. */
function isShownGood(
  delegate: Certificate,
  answer: OcspAnswer,
  path: readonly Certificate[],
  context: StatusContext,
): boolean {
  const own = [delegate, ...path.slice(1)]
  const byItself: ResponderCheck = (other) => {
    if (other === answer) throw ocspRefusal('responderStatusUnknown')
    return authorisedResponder(other.basic, own, context, () => false)
  }
  const { producedAt } = answer.basic
  return answersBy(byItself, own, context).some(
    (single) => single.status === 'good' && coversTime(single, producedAt, context.maxGap),
  )
}

function outcomeOf(check: () => Certificate): Certificate | RegistryError {
  try {
    return check()
  } catch (error) {
    if (error instanceof RegistryError) return error
    throw error
  }
}

/** Whether a reliable response, current at a time or newer, says that the first certificate of a path was good. */
export const isGoodByAnswers = (path: readonly Certificate[], time: number, context: StatusContext): boolean =>
  answersBy(responderOf, path, context).some(
    (single) => single.status === 'good' && coversTime(single, time, context.maxGap),
  )

/** The revocation of the first certificate of a path by a time, according to authentic responses. */
export function revokedByAnswers(
  path: readonly Certificate[],
  time: number,
  context: StatusContext,
): Revocation | undefined {
  const all = authenticAnswers(path, context)
  const found = all.find((single) => isRevokedAt(single, time, all, context.maxGap))
  return typeof found?.status === 'object' ? found.status : undefined
}

/** A revocation after which somebody else may have the key. */
export interface KeyRevocation {
  /** Whose certificate was revoked. */
  readonly authority: string
  /** Milliseconds since the epoch. */
  readonly revokedAt: number
  readonly revocationReason: Revocation['reason']
}

const MAX_SUBJECT = 500

/**
 * Once a key is compromised, its holder can backdate signatures: time stamps (RFC 3161 section 4), OCSP responses and CRLs alike.
 * Looks for such a revocation of a certificate of a path (leaf first, anchor last), as of any time up to `until`; revocations
 * for other reasons do not affect earlier signatures.
 */
export function keyInDoubt(
  path: readonly Certificate[],
  context: StatusContext,
  until = context.now,
): KeyRevocation | undefined {
  const { trust, evidence } = context
  const { answers = [], crls = [] } = evidence ?? {}
  if ((trust.crls ?? []).length + answers.length + crls.length === 0) return undefined
  for (const [index, certificate] of path.slice(0, -1).entries()) {
    const own = path.slice(index)
    const found = keyRevokedByCrls(own, context, until) ?? keyRevokedByAnswers(own, context, until)
    if (found === undefined) continue
    const { revokedAt, reason: revocationReason } = found
    return { authority: certificate.subject.toString().slice(0, MAX_SUBJECT), revokedAt, revocationReason }
  }
  return undefined
}

function keyRevokedByAnswers(
  path: readonly Certificate[],
  context: StatusContext,
  until: number,
): Revocation | undefined {
  const all = authenticAnswers(path, context)
  for (const single of all) {
    const { status } = single
    if (typeof status === 'object' && isKeyInDoubt(status.reason) && isRevokedAt(single, until, all, context.maxGap))
      return status
  }
  return undefined
}
