import { readDigestOid } from '../algorithms/algorithm-identifier.js'
import { readBoolean } from '../der/boolean.js'
import { BOOLEAN, context, contextConstructed, fieldsOf, INTEGER, OCTET_STRING, SEQUENCE } from '../der/fields.js'
import { integerBytes, integerHex, readSmallInteger } from '../der/integer.js'
import { readOid } from '../der/oid.js'
import { contents, type DerElement, DerError, readDer } from '../der/reader.js'
import { readGeneralizedTime } from '../der/time.js'
import { type ExtensionTable, noExtensions, readExtensionTable } from '../x509/extension-table.js'
import { type GeneralName, readGeneralName } from '../x509/general-name.js'

/** What a time-stamping authority signs (RFC 3161 section 2.4.2). Read, not yet judged. */
export interface TstInfo {
  readonly policy: string
  readonly imprint: MessageImprint
  /** Lower-case hexadecimal. */
  readonly serialNumber: string
  /** Milliseconds since the epoch. */
  readonly genTime: number
  /** How far the true time may be from `genTime` to either side, milliseconds. */
  readonly accuracy: number | undefined
  readonly ordering: boolean
  /** Content octets of the INTEGER. */
  readonly nonce: Uint8Array | undefined
  /** The authority's name. */
  readonly tsa: GeneralName | undefined
  readonly extensions: ExtensionTable
}

/** Digest of what was stamped. */
export interface MessageImprint {
  readonly digestOid: string
  readonly value: Uint8Array
}

/** Reads a DER `TSTInfo`; throws `DerError`. */
export function readTstInfo(der: Uint8Array): TstInfo {
  const fields = fieldsOf(readDer(der))
  if (readSmallInteger(fields.take(INTEGER)) !== 1) throw new DerError('TSTInfo version is not 1')
  const policy = readOid(fields.any())
  const imprint = readMessageImprint(fields.take(SEQUENCE))
  const serialNumber = integerHex(integerBytes(fields.take(INTEGER)))
  const genTime = readGeneralizedTime(fields.any(), { fraction: true })
  const accuracy = fields.takeIf(SEQUENCE)
  const ordering = fields.takeIf(BOOLEAN)
  if (ordering !== undefined && !readBoolean(ordering)) throw new DerError('TSTInfo ordering is a coded default')
  const nonce = fields.takeIf(INTEGER)
  const tsa = fields.explicit(contextConstructed(0))
  const extensions = fields.takeIf(contextConstructed(1))
  fields.finish()
  return {
    policy,
    imprint,
    serialNumber,
    genTime,
    accuracy: accuracy && readAccuracy(accuracy),
    ordering: ordering !== undefined,
    nonce: nonce && integerBytes(nonce),
    tsa: tsa && readGeneralName(tsa),
    extensions: extensions ? readExtensionTable({ ...extensions, tag: SEQUENCE }) : noExtensions,
  }
}

function readMessageImprint(element: DerElement): MessageImprint {
  const fields = fieldsOf(element)
  const digestOid = readDigestOid(fields.any())
  const value = contents(fields.take(OCTET_STRING))
  fields.finish()
  return { digestOid, value }
}

function readAccuracy(element: DerElement): number {
  const fields = fieldsOf(element)
  const seconds = fields.takeIf(INTEGER)
  const millis = fields.takeIf(context(0))
  const micros = fields.takeIf(context(1))
  fields.finish()
  return (
    (seconds ? readSmallInteger(seconds) : 0) * 1000 +
    (millis ? thousandth(millis, 0) : 0) +
    (micros ? thousandth(micros, 1) / 1000 : 0)
  )
}

function thousandth(element: DerElement, number: number): number {
  const value = readSmallInteger(element, context(number))
  if (value < 1 || value > 999) throw new DerError('accuracy is out of range')
  return value
}
