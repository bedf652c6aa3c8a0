import type { OrganizationRight } from '../identity/index.js'
import { checkCount } from '../kernel/field-length.js'
import { organizationErrors } from './errors.js'
import type { AccessControl, AccessControlRequest } from './schema.js'

const OID = /^(?:[01]\.[1-3]?[0-9]|2\.(?:0|[1-9][0-9]*))(?:\.(?:0|[1-9][0-9]*))*$/
const MAX_OID = 128
const IIN = /^IIN\d{12}$/

/** Reads an access control object; an omitted part grants nothing. Refuses malformed OIDs and IINs. */
export function readAccessControl(
  right: OrganizationRight,
  { authorities = [], tlsCertificatesIndices = [], iins = [] }: AccessControlRequest,
  max: number,
): AccessControl {
  for (const [part, list] of Object.entries({ authorities, tlsCertificatesIndices, iins })) {
    checkCount(`${right}.${part}`, list, max)
  }
  const badOid = authorities.findIndex((oid) => oid.length > MAX_OID || !OID.test(oid))
  if (badOid >= 0) throw organizationErrors.error('invalidAuthority', { field: right, index: badOid })
  const badIin = iins.findIndex((iin) => !IIN.test(iin))
  if (badIin >= 0) throw organizationErrors.error('invalidIin', { field: right, index: badIin })
  return { authorities: [...authorities], tlsCertificatesIndices: [...tlsCertificatesIndices], iins: [...iins] }
}

/** Refuses indices outside a list of `certificates` certificates. */
export function checkIndices(right: OrganizationRight, control: AccessControl, certificates: number): void {
  const isPosition = (index: number) => Number.isInteger(index) && index >= 0 && index < certificates
  if (control.tlsCertificatesIndices.every(isPosition)) return
  throw organizationErrors.error('invalidCertificateIndex', { field: right })
}

/**
 * Moves the indices that a request does not set to where their certificates stand in the new list, so that a right never
 * passes to another key. `before` and `after` are the digests of the keys in both lists.
 */
export function followCertificates(
  control: AccessControl,
  before: readonly string[],
  after: readonly string[],
): AccessControl {
  const places = control.tlsCertificatesIndices.map((index) => after.indexOf(before[index] ?? ''))
  return { ...control, tlsCertificatesIndices: places.filter((place) => place >= 0) }
}
