import { context, contextConstructed, fieldsOf, OBJECT_IDENTIFIER, OCTET_STRING } from '../der/fields.js'
import { integerBytes } from '../der/integer.js'
import { readOid } from '../der/oid.js'
import { children, contents, type DerElement, DerError } from '../der/reader.js'
import { type GeneralName, readGeneralName, readGeneralNames } from './general-name.js'

/** AuthorityKeyIdentifier (RFC 5280 section 4.2.1.1): a hint at the issuer's certificate, not a proof. */
export interface AuthorityKeyIdentifier {
  readonly keyIdentifier: Uint8Array | undefined
  readonly issuer: readonly GeneralName[] | undefined
  readonly serialBytes: Uint8Array | undefined
}

export function readAuthorityKeyIdentifier(element: DerElement): AuthorityKeyIdentifier {
  const fields = fieldsOf(element)
  const keyIdentifier = fields.takeIf(context(0))
  const issuer = fields.takeIf(contextConstructed(1))
  const serial = fields.takeIf(context(2))
  fields.finish()
  return {
    keyIdentifier: keyIdentifier && contents(keyIdentifier),
    issuer: issuer && readGeneralNames(issuer, contextConstructed(1)),
    serialBytes: serial && integerBytes(serial, context(2)),
  }
}

/** Reads SubjectKeyIdentifier. */
export function readSubjectKeyIdentifier(element: DerElement): Uint8Array {
  if (element.tag !== OCTET_STRING) throw new DerError('subject key identifier is not an octet string')
  return contents(element)
}

/** AccessDescription: the access method (OCSP, caIssuers) and location. */
export interface AccessDescription {
  readonly method: string
  readonly location: GeneralName
}

const MAX_DESCRIPTIONS = 200

/** Reads AuthorityInfoAccessSyntax (RFC 5280 section 4.2.2.1). */
export function readAuthorityInfoAccess(element: DerElement): AccessDescription[] {
  const descriptions = children(element, MAX_DESCRIPTIONS).map((description) => {
    const fields = fieldsOf(description)
    const method = readOid(fields.take(OBJECT_IDENTIFIER))
    const location = readGeneralName(fields.any())
    fields.finish()
    return { method, location }
  })
  if (descriptions.length === 0) throw new DerError('authority information access is empty')
  return descriptions
}
