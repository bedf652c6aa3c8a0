/** A person who authenticated with a certificate of a natural person. */
export interface Person {
  readonly kind: 'person'
  /** `IIN` and 12 digits. */
  readonly iin: string
}

/** A person who authenticated with a certificate that an organization's employee holds. */
export interface Employee {
  readonly kind: 'employee'
  readonly iin: string
  /** `BIN` and 12 digits. */
  readonly bin: string
  /** Extended key usages of the certificate: the roles that its authority confirmed. */
  readonly authorities: readonly string[]
}

/** An information system of an organization that authenticated by mutual TLS. */
export interface System {
  readonly kind: 'system'
  readonly bin: string
  /** Position of its certificate in `tlsCertificatesList` of the organization. */
  readonly certificateIndex: number
  /** Base64 of its certificate (DER). */
  readonly certificate: string
  /** SHA-256 of its certificate (DER), lower-case hexadecimal. */
  readonly certificateDigest: string
}

/** Who calls a use case. A person and the same person as an employee are two different callers. */
export type Caller = { readonly kind: 'anonymous' } | Person | Employee | System

export const anonymous: Caller = { kind: 'anonymous' }

/** The organization that a caller belongs to, if any. */
export const organizationOf = (caller: Caller): string | undefined =>
  caller.kind === 'employee' || caller.kind === 'system' ? caller.bin : undefined
