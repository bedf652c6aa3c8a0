import { DerError } from '../der/reader.js'
import { asRefusal, ocspRefusal } from '../evidence-refusal.js'
import type { ExtensionTable } from '../x509/extension-table.js'
import { type BasicOcspResponse, readBasicOcspResponse, type SingleResponse } from './basic-ocsp-response.js'
import { ID_PKIX_OCSP_NONCE } from './ocsp-request.js'
import { isOcspResponse, readOcspResponse } from './ocsp-response.js'

const MAX_BYTES = 256 * 1024

/** A parsed OCSP response, not validated yet. */
export interface OcspAnswer {
  /** The `BasicOCSPResponse` as received. */
  readonly response: Uint8Array
  readonly basic: BasicOcspResponse
}

/** Reads a `BasicOCSPResponse`, or an `OCSPResponse` around one; throws `invalidOcspData`. */
export function readAnswer(bytes: Uint8Array): OcspAnswer {
  try {
    if (bytes.length > MAX_BYTES) throw ocspRefusal('tooLarge')
    const response = isOcspResponse(bytes) ? successful(bytes) : bytes
    return { response, basic: readBasicOcspResponse(response) }
  } catch (error) {
    if (error instanceof DerError) throw asRefusal('invalidOcspData', error)
    throw error
  }
}

/** The basic response inside an `OCSPResponse`. */
function successful(bytes: Uint8Array): Uint8Array {
  const { status, basic } = readOcspResponse(bytes)
  if (basic === undefined) throw ocspRefusal('notSuccessful', { status })
  return basic
}

/** Tolerated clock difference between an authority and us. */
export const CLOCK_SKEW = 60_000

const RESPONSE_EXTENSIONS = new Set([ID_PKIX_OCSP_NONCE, '1.3.6.1.5.5.7.48.1.9'])
const SINGLE_EXTENSIONS = new Set(['1.3.6.1.5.5.7.48.1.3', '1.3.6.1.5.5.7.48.1.6', '2.5.29.21', '2.5.29.24'])

/** Refuses a response from the future or with an unknown critical extension; throws `invalidOcspData`. */
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
