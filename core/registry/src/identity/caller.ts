import Type from 'typebox'
import type { RegistryError } from '../kernel/error.js'
import { identityErrors } from './errors.js'

/** A person who authenticated with a certificate of a natural person. */
export interface Person {
  readonly kind: 'person'
  /** `IIN` and 12 digits. */
  readonly iin: string
  /** Of their session, where they call within one: random, and good for them alone. */
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
  /** As of `Person`. */
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

/** Somebody of whom nothing more is known. */
export interface Anonymous {
  readonly kind: 'anonymous'
  /** Network that the call came from, for what is counted by it; none for a call from inside the process. */
  readonly address?: string
}

/** Who calls a use case. A person and the same person as an employee are two different callers. */
export type Caller = Anonymous | Person | Employee | System

export const anonymous: Caller = { kind: 'anonymous' }

/** The organization that a caller belongs to, if any. */
export const organizationOf = (caller: Caller): string | undefined =>
  caller.kind === 'employee' || caller.kind === 'system' ? caller.bin : undefined

const Iin = Type.String({ pattern: '^IIN\\d{12}$' })
const Bin = Type.String({ pattern: '^BIN\\d{12}$' })
const sessionId = Type.Optional(Type.String())

/** What a caller looks like; `check-calls.ts` refuses others. */
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

/** The refusal that a caller without a right gets: who is unknown is asked to authenticate. */
export const refusal = (caller: Caller): RegistryError =>
  identityErrors.error(caller.kind === 'anonymous' ? 'authenticationRequired' : 'accessDenied')

/** The person who calls, in their own name or as an employee. Refuses everybody else. */
export function personOf(caller: Caller): Person | Employee {
  if (caller.kind === 'anonymous' || caller.kind === 'system') throw refusal(caller)
  return caller
}

/** Refuses anonymous callers. */
export function assertAuthenticated(caller: Caller): asserts caller is Person | Employee | System {
  if (caller.kind === 'anonymous') throw refusal(caller)
}

/** Whom something counts for: `at` and a network address, an IIN, an IIN and the BIN it acts for, or the BIN of systems. */
export type Owner = string

/** How much is known of an owner. */
export type OwnerKind = 'stranger' | 'person' | 'system'

/** Whom what a caller takes counts for: nobody knows more of a stranger than the address. */
export function ownerOf(caller: Caller): Owner {
  if (caller.kind === 'anonymous') return `at ${caller.address ?? ''}`
  if (caller.kind === 'system') return caller.bin
  return caller.kind === 'employee' ? `${caller.iin} ${caller.bin}` : caller.iin
}

export function kindOfOwner(owner: Owner): OwnerKind {
  if (owner.startsWith('at ')) return 'stranger'
  return owner.startsWith('BIN') ? 'system' : 'person'
}
