import { ocspRefusal } from '../evidence-refusal.js'
import type { ExtensionTable } from '../x509/extension-table.js'
import type { SingleResponse } from './basic-ocsp-response.js'
import type { OcspAnswer } from './ocsp-answer.js'
import { ID_PKIX_OCSP_NONCE } from './ocsp-request.js'

/** Clocks of authorities and ours may differ by this much. */
export const CLOCK_SKEW = 60_000

const RESPONSE_EXTENSIONS = new Set([ID_PKIX_OCSP_NONCE, '1.3.6.1.5.5.7.48.1.9'])
const SINGLE_EXTENSIONS = new Set(['1.3.6.1.5.5.7.48.1.3', '1.3.6.1.5.5.7.48.1.6', '2.5.29.21', '2.5.29.24'])

/** Refuses an answer from the future, or with a critical extension that nobody here processes; throws `invalidOcspData`. */
export function refuseUnusable({ basic }: OcspAnswer, ours: readonly SingleResponse[], now: number): void {
  refuseUnknownCritical(basic.extensions, RESPONSE_EXTENSIONS)
  for (const { extensions } of ours) refuseUnknownCritical(extensions, SINGLE_EXTENSIONS)
  const { producedAt } = basic
  if (producedAt > now + CLOCK_SKEW) throw ocspRefusal('producedInFuture', { producedAt })
}

function refuseUnknownCritical(extensions: ExtensionTable, known: ReadonlySet<string>): void {
  for (const { oid, critical } of extensions.values()) {
    if (critical && !known.has(oid)) throw ocspRefusal('unknownCriticalExtension', { oid })
  }
}
