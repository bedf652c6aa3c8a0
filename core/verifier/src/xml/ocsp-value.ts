import { contextConstructed, ENUMERATED, fieldsOf, OCTET_STRING, only } from '../der/fields.js'
import { readOid } from '../der/oid.js'
import { contents, DerError, encoded, readDer, readElement } from '../der/reader.js'

const BASIC_OCSP = '1.3.6.1.5.5.7.48.1.1'

/** The BasicOCSPResponse in an OCSPResponse (RFC 6960, 4.2.1); a bare one is returned as is. */
export function basicResponse(der: Buffer): Uint8Array {
  const outer = readDer(der)
  if (readElement(der, outer.content, outer.end).tag !== ENUMERATED) return der
  const fields = fieldsOf(outer)
  const status = contents(fields.take(ENUMERATED))
  if (status.length !== 1 || status[0] !== 0) throw new DerError('OCSP answer is not a success')
  const bytes = fieldsOf(only(fields.take(contextConstructed(0))))
  fields.finish()
  if (readOid(bytes.any()) !== BASIC_OCSP) throw new DerError('OCSP answer is of another type')
  const basic = contents(bytes.take(OCTET_STRING))
  bytes.finish()
  return encoded(readDer(basic))
}
