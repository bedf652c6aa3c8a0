import type { OpenSignature } from '@signed-registry/verifier/evidence'
import { isNotDer, type ReadSignature, readOcspResponse } from '../signatures/index.js'
import { bundleErrors } from './errors.js'

/**
 * A signature with the time stamp and the certificate status that stand beside it in a bundle, as if it carried them. What it
 * carries itself comes first. Throws `evidenceNotProved` for an answer that cannot be read.
 */
export function withEvidence(read: ReadSignature, { statement, timeStamp, ocsp }: OpenSignature): ReadSignature {
  return {
    ...read,
    timeStamp: read.timeStamp ?? { token: timeStamp, imprinted: read.signatureValue },
    ocsp: read.ocsp ?? (ocsp && basicOf(ocsp, statement.ocsp)),
  }
}

function basicOf(response: Uint8Array, file: string | undefined): Uint8Array {
  try {
    const { basic } = readOcspResponse(response)
    if (basic !== undefined) return basic
  } catch (error) {
    if (!isNotDer(error)) throw error
  }
  throw bundleErrors.error('evidenceNotProved', { reason: 'noStatus', file })
}
