import {
  writeDigestAlgorithm,
  writeElement,
  writeOctetString,
  writeOid,
  writeSequence,
  writeUnsigned,
} from '../der/writer.js'

/** What to ask a time-stamping authority for. */
export interface TimeStampRequest {
  readonly digestOid: string
  readonly imprint: Uint8Array
  /** OID of the policy; the authority's default where not given. */
  readonly policy?: string | undefined
  /** Big-endian magnitude; unpredictable, so that an old answer cannot be replayed. */
  readonly nonce: Uint8Array
}

const TRUE = writeElement(0x01, Uint8Array.of(0xff))
const VERSION = writeUnsigned(Uint8Array.of(1))

/** A DER `TimeStampReq` (RFC 3161 section 2.4.1) that asks for the authority's certificate too. */
export function buildTimeStampRequest({ digestOid, imprint, policy, nonce }: TimeStampRequest): Uint8Array {
  const messageImprint = writeSequence(writeDigestAlgorithm(digestOid), writeOctetString(imprint))
  const reqPolicy = policy === undefined ? [] : [writeOid(policy)]
  return writeSequence(VERSION, messageImprint, ...reqPolicy, writeUnsigned(nonce), TRUE)
}
