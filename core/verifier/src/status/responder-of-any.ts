import { RegistryError } from '../error.js'
import { ocspRefusal } from '../evidence-refusal.js'
import { buildPath } from '../path/build-path.js'
import { mayIssue } from '../path/candidate-issuers.js'
import type { Certificate } from '../x509/certificate.js'
import { responderOf } from './authentic-answers.js'
import { readAnswer, refuseUnusable } from './ocsp-answer.js'
import type { StatusContext } from './status-context.js'
import { assertNonce } from './verify-ocsp.js'

/**
 * The responder that signed a response, if an authority of the trust authorised it, whichever certificates the response is about:
 * tells whether a responder works, and nothing of a certificate. Throws `invalidOcspData` and `algorithmNotTrusted`.
 */
export function responderOfAny(
  bytes: Uint8Array,
  context: StatusContext & { readonly nonce: Uint8Array },
): Certificate {
  const answer = readAnswer(bytes)
  assertNonce(answer.basic, context.nonce)
  refuseUnusable(answer, [], context.now)
  let refusal: unknown = ocspRefusal('responderNotFound')
  const { anchors, intermediates } = context.trust
  for (const issuer of [...anchors, ...intermediates.filter((one) => isAuthority(one, context))]) {
    try {
      return responderOf(answer, [issuer, issuer], context)
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error
      if (error.details?.reason !== 'responderNotFound') refusal = error
    }
  }
  throw refusal
}

/** Beside issuing CAs a folder of trust may hold other certificates, and those of nobody that is trusted. */
function isAuthority(certificate: Certificate, { trust, now, algorithms }: StatusContext): boolean {
  if (!mayIssue(certificate)) return false
  try {
    buildPath(certificate, { trust, time: now, algorithms })
    return true
  } catch (error) {
    if (error instanceof RegistryError) return false
    throw error
  }
}
