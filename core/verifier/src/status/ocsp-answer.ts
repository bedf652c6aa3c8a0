import { DerError } from '../der/reader.js'
import { asRefusal, ocspRefusal } from '../evidence-refusal.js'
import { type BasicOcspResponse, readBasicOcspResponse } from './basic-ocsp-response.js'
import { isOcspResponse, readOcspResponse } from './ocsp-response.js'

const MAX_BYTES = 256 * 1024

/** An OCSP answer that was read; nothing of it is judged yet. */
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
