import { fieldsOf, INTEGER, SEQUENCE } from '../der/fields.js'
import { integerBytes } from '../der/integer.js'
import { DerError, readDer } from '../der/reader.js'
import { attributeNames } from '../x509/attribute-types.js'
import type { Certificate } from '../x509/certificate.js'
import { readGeneralNames } from '../x509/general-name.js'
import type { Name } from '../x509/name.js'
import { preparedText } from '../x509/name-comparison.js'
import { type NamePart, readNameString } from './name-string.js'

/** Whether a DER IssuerSerial (RFC 5035, section 3) is that of the certificate. */
export function matchesIssuerSerial(der: Uint8Array, { issuer, serialBytes }: Certificate): boolean {
  try {
    const fields = fieldsOf(readDer(der))
    const [name, ...others] = readGeneralNames(fields.take(SEQUENCE))
    const serial = integerBytes(fields.take(INTEGER))
    fields.finish()
    return others.length === 0 && name?.name?.equals(issuer) === true && Buffer.compare(serial, serialBytes) === 0
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}

const OTHER_KEYWORDS: readonly (readonly [string, string])[] = [
  ['EMAILADDRESS', '1.2.840.113549.1.9.1'],
  ['EMAIL', '1.2.840.113549.1.9.1'],
  ['S', '2.5.4.8'],
  ['SN', '2.5.4.4'],
  ['G', '2.5.4.42'],
  ['GN', '2.5.4.42'],
  ['BUSINESSCATEGORY', '2.5.4.15'],
  ['STREET', '2.5.4.9'],
  ['T', '2.5.4.12'],
  ['TITLE', '2.5.4.12'],
  ['INITIALS', '2.5.4.43'],
  ['DNQ', '2.5.4.46'],
  ['DNQUALIFIER', '2.5.4.46'],
  ['POSTALCODE', '2.5.4.17'],
  ['ORGANIZATIONIDENTIFIER', '2.5.4.97'],
]
const OIDS: ReadonlyMap<string, string> = new Map([
  ...[...attributeNames].map(([oid, name]) => [name, oid] as const),
  ...OTHER_KEYWORDS,
])

/**
 * Whether a name written as text (RFC 4514, or its predecessors in either order of RDNs) is the name of a certificate.
 * The certificate is bound by its hash already; a keyword that is not known is compared by its value alone.
 */
export function nameMatches(text: string, name: Name): boolean {
  const written = readNameString(text)
  const { rdns } = name
  if (written === undefined || written.length !== rdns.length) return false
  const due = rdns.map((rdn) => rdn.map(({ oid, value }) => ({ oid, value: preparedText(value) })))
  return [written, [...written].reverse()].some((order) => order.every((rdn, index) => sameRdn(rdn, due[index] ?? [])))
}

function sameRdn(written: readonly NamePart[], due: readonly { oid: string; value: string }[]): boolean {
  if (written.length !== due.length) return false
  const left = [...due]
  return written.every(({ keyword, value }) => {
    const oid = /^[0-9.]+$/.test(keyword) ? keyword : OIDS.get(keyword)
    const prepared = preparedText(value)
    const at = left.findIndex((part) => (oid === undefined || part.oid === oid) && part.value === prepared)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}
