import { children, contents, encoded, readDer } from '@signed-registry/verifier'
import { type HashName, hashOf } from '../hashes.js'

export interface TimeStampRequest {
  /** MessageImprint, DER. */
  readonly imprint: Uint8Array
  /** Digest of the imprint, undefined when it is none of ours. */
  readonly hash: HashName | undefined
  /** OBJECT IDENTIFIER, DER. */
  readonly policy: Uint8Array | undefined
  /** INTEGER content octets. */
  readonly nonce: Uint8Array | undefined
  /** The authority's certificate is wanted in the token. */
  readonly certificates: boolean
}

/** What a TimeStampReq asks (RFC 3161 2.4.1), or undefined when it is none. */
export function readTimeStampRequest(request: Uint8Array): TimeStampRequest | undefined {
  try {
    const [version, imprint, ...options] = children(readDer(request))
    const [algorithm, value] = imprint === undefined ? [] : children(imprint)
    const [hashOid] = algorithm === undefined ? [] : children(algorithm)
    if (version?.tag !== 0x02 || !imprint || !hashOid || value?.tag !== 0x04) return undefined
    const option = (tag: number) => options.find((element) => element.tag === tag)
    const policy = option(0x06)
    const nonce = option(0x02)
    return {
      imprint: encoded(imprint),
      hash: hashOf(encoded(hashOid)),
      policy: policy && encoded(policy),
      nonce: nonce && contents(nonce),
      certificates: option(0x01) !== undefined,
    }
  } catch {
    return undefined
  }
}
