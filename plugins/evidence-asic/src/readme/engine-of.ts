import type { SignatureInBundle } from '@signed-registry/core'
import { isCms } from '../file-places.js'

/** Object identifiers of GOST as they stand in DER: 1.2.643.7.1.1 of TC 26, and 1.2.398.3.10.1.1 of Kazakhstan. */
const TC_26 = Buffer.from('2a8503070101', 'hex')
const NATIONAL = Buffer.from('2a830e030a0101', 'hex')

/** What OpenSSL verifies a signature by: itself, with its module for GOST, or not at all. */
export function engineOf(signature: SignatureInBundle): 'own' | 'gost' | 'none' {
  if (!isCms(signature)) return 'none'
  const { buffer, byteOffset, length } = signature.signed
  const octets = Buffer.from(buffer, byteOffset, length)
  return octets.includes(NATIONAL) ? 'none' : octets.includes(TC_26) ? 'gost' : 'own'
}
