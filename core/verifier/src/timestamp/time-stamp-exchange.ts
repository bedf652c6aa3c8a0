import { readNamedBits } from '../der/bit-string.js'
import { BIT_STRING, fieldsOf, INTEGER, SEQUENCE } from '../der/fields.js'
import { readSmallInteger } from '../der/integer.js'
import { children, type DerElement, DerError, encoded, readDer } from '../der/reader.js'
import { readText } from '../der/strings.js'
import {
  writeDigestAlgorithm,
  writeElement,
  writeOctetString,
  writeOid,
  writeSequence,
  writeUnsigned,
} from '../der/writer.js'

/** Contents of a time-stamp request. */
interface TimeStampRequest {
  readonly digestOid: string
  readonly imprint: Uint8Array
  /** OID of the policy; default is the authority's. */
  readonly policy?: string | undefined
  /** Big-endian magnitude; unpredictable, so that an old response cannot be replayed. */
  readonly nonce: Uint8Array
}

const TRUE = writeElement(0x01, Uint8Array.of(0xff))
const VERSION = writeUnsigned(Uint8Array.of(1))

/** A DER `TimeStampReq` (RFC 3161 section 2.4.1) with certReq. */
export function buildTimeStampRequest({ digestOid, imprint, policy, nonce }: TimeStampRequest): Uint8Array {
  const messageImprint = writeSequence(writeDigestAlgorithm(digestOid), writeOctetString(imprint))
  const reqPolicy = policy === undefined ? [] : [writeOid(policy)]
  return writeSequence(VERSION, messageImprint, ...reqPolicy, writeUnsigned(nonce), TRUE)
}

/** A time-stamp response (RFC 3161 section 2.4.2): a token, or the reason for none. */
export type TimeStampResponse =
  | { readonly token: Uint8Array }
  | { readonly token: undefined; readonly status: string; readonly failures: readonly string[]; readonly text?: string }

const GRANTED = ['granted', 'grantedWithMods']
const STATUSES = [...GRANTED, 'rejection', 'waiting', 'revocationWarning', 'revocationNotification']

const FAILURES = new Map([
  [0, 'badAlg'],
  [2, 'badRequest'],
  [5, 'badDataFormat'],
  [14, 'timeNotAvailable'],
  [15, 'unacceptedPolicy'],
  [16, 'unacceptedExtension'],
  [17, 'addInfoNotAvailable'],
  [25, 'systemFailure'],
])

const MAX_TEXT = 200

/** Reads a DER `TimeStampResp`; throws `DerError`. A token is present exactly with `granted` and `grantedWithMods`. */
export function readTimeStampResponse(der: Uint8Array): TimeStampResponse {
  const fields = fieldsOf(readDer(der))
  const info = fieldsOf(fields.take(SEQUENCE))
  const status = STATUSES[readSmallInteger(info.take(INTEGER))]
  if (status === undefined) throw new DerError('PKIStatus is unknown')
  const text = info.takeIf(SEQUENCE)
  const failInfo = info.takeIf(BIT_STRING)
  info.finish()
  const token = fields.takeIf(SEQUENCE)
  fields.finish()
  if (GRANTED.includes(status) !== (token !== undefined)) throw new DerError('PKIStatus contradicts the token')
  if (token !== undefined) return { token: encoded(token) }
  const failures = failInfo ? readNamedBits(failInfo).map((bit) => FAILURES.get(bit) ?? `bit${bit}`) : []
  return { token: undefined, status, failures, ...(text && { text: freeText(text) }) }
}

const freeText = (element: DerElement): string =>
  children(element, 16)
    .map((line) => readText(line) ?? '')
    .join(' ')
    .slice(0, MAX_TEXT)
