import type { PublicKey, SignatureScheme } from '../algorithms/key.js'
import { xmlSignatureScheme } from '../algorithms/xml-signature-scheme.js'
import type { SignedInfo } from './signed-info.js'

/** How a SignatureValue of ECDSA is written. */
export interface ValueOptions {
  /** Take `SEQUENCE { r, s }`, which some signers write against XMLDSig 1.1 section 6.4.3. */
  readonly ecdsaInDer?: boolean
}

/**
 * Whether the value is the key's signature over SignedInfo. Throws `signatureAlgorithmNotSupported` when the method is
 * not for this kind of key.
 */
export function verifyValue(info: SignedInfo, value: Uint8Array, key: PublicKey, options: ValueOptions = {}): boolean {
  const scheme = xmlSignatureScheme(info.method.uri, key, info.method.pss)
  if (scheme.family !== 'ecdsa') return key.verify(scheme, info.bytes, value)
  if (options.ecdsaInDer === true && value[0] === 0x30) return key.verify(inDer(scheme), info.bytes, value)
  const pair = resizePair(value, Math.ceil(key.bits / 8))
  return pair !== undefined && key.verify(scheme, info.bytes, pair)
}

const inDer = ({ oid, family, digest }: SignatureScheme): SignatureScheme => ({ oid, family, digest })

/** Brings r and s to the size of the curve: signers are known to write both one octet shorter, or one longer. */
function resizePair(value: Uint8Array, size: number): Uint8Array | undefined {
  const half = value.length / 2
  if (!Number.isInteger(half) || half < size - 1 || half > size + 1) return undefined
  const pair = new Uint8Array(2 * size)
  for (const index of [0, 1]) {
    const number = value.subarray(index * half, (index + 1) * half)
    const excess = half - size
    if (excess > 0 && number[0] !== 0) return undefined
    const kept = excess > 0 ? number.subarray(excess) : number
    pair.set(kept, (index + 1) * size - kept.length)
  }
  return pair
}
