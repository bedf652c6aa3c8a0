import Type from 'typebox'
import type { RegistryError } from '../kernel/error.js'
import { identityErrors } from './errors.js'

/** A person who authenticated with a certificate of a natural person. */
export interface Person {
  readonly kind: 'person'
  /** `IIN` and 12 digits. */
  readonly iin: string
  /** Random identifier of their session, if they have one. */
  readonly sessionId?: string
}

/** A person who authenticated with a certificate that an organization's employee holds. */
export interface Employee {
  readonly kind: 'employee'
  readonly iin: string
  /** `BIN` and 12 digits. */
  readonly bin: string
  /** Extended key usages of the certificate: the roles that its authority confirmed. */
  readonly authorities: readonly string[]
  /** As in `Person`. */
  readonly sessionId?: string
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

/** A caller who has not authenticated. */
export interface Anonymous {
  readonly kind: 'anonymous'
  /** Network that the call came from, for rate limits and shares; absent for calls from inside the process. */
  readonly address?: string
}

/** Who calls an operation. A person and the same person as an employee are two different callers. */
export type Caller = Anonymous | Person | Employee | System

export const anonymous: Caller = { kind: 'anonymous' }

/** The organization that a caller belongs to, if any. */
export const organizationOf = (caller: Caller): string | undefined =>
  caller.kind === 'employee' || caller.kind === 'system' ? caller.bin : undefined

const Iin = Type.String({ pattern: '^IIN\\d{12}$' })
const Bin = Type.String({ pattern: '^BIN\\d{12}$' })
const sessionId = Type.Optional(Type.String())

/** Schema of a caller, checked by `check-calls.ts`. */
export const CallerSchema = Type.Union([
  Type.Object({ kind: Type.Literal('anonymous'), address: Type.Optional(Type.String()) }),
  Type.Object({ kind: Type.Literal('person'), iin: Iin, sessionId }),
  Type.Object({
    kind: Type.Literal('employee'),
    iin: Iin,
    bin: Bin,
    authorities: Type.Array(Type.String()),
    sessionId,
  }),
  Type.Object({
    kind: Type.Literal('system'),
    bin: Bin,
    certificateIndex: Type.Integer({ minimum: 0 }),
    certificate: Type.String(),
    certificateDigest: Type.String(),
  }),
])

/** The error for a caller without access: `authenticationRequired` for anonymous ones, else `accessDenied`. */
export const refusal = (caller: Caller): RegistryError =>
  identityErrors.error(caller.kind === 'anonymous' ? 'authenticationRequired' : 'accessDenied')

/** The calling person, whether in their own name or as an employee. Refuses everybody else. */
export function personOf(caller: Caller): Person | Employee {
  if (caller.kind === 'anonymous' || caller.kind === 'system') throw refusal(caller)
  return caller
}

/** Refuses anonymous callers. */
export function assertAuthenticated(caller: Caller): asserts caller is Person | Employee | System {
  if (caller.kind === 'anonymous') throw refusal(caller)
}

/** Whose share something counts against: `at` and a network, an IIN, an IIN and its employer's BIN, or the BIN of systems. */
export type Owner = string

/** What kind of caller an owner is. */
export type OwnerKind = 'stranger' | 'person' | 'system'

/** The owner whose share a caller's use counts against; for an anonymous caller it is the network. */
export function ownerOf(caller: Caller): Owner {
  if (caller.kind === 'anonymous') return `at ${caller.address ?? ''}`
  if (caller.kind === 'system') return caller.bin
  return caller.kind === 'employee' ? `${caller.iin} ${caller.bin}` : caller.iin
}

export function kindOfOwner(owner: Owner): OwnerKind {
  if (owner.startsWith('at ')) return 'stranger'
  return owner.startsWith('BIN') ? 'system' : 'person'
}
