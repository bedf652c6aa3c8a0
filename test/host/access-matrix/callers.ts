import type { DevAuthorities, Subject } from '@signed-registry/dev-authorities'
import { PURPOSES, ROLES } from '#dev-authorities/oids.js'

/** Organizations: A, whose documents and packages the matrix is about; B, a stranger to them; C, only a signer. */
export const A = 'BIN111111111111'
export const B = 'BIN222222222222'
export const C = 'BIN333333333333'

export const SIGNER = 'IIN100000000001'
export const WORKER = 'IIN100000000002'
export const NAMED = 'IIN100000000003'
const PLAIN = 'IIN100000000004'
const HEAD = 'IIN100000000005'
const STRANGER = 'IIN100000000006'
/** Has every right in the settings of A and of B. */
export const GRANTED = 'IIN100000000007'

const BTSD_HEAD = '1.2.398.3.17.3.3'

export const RIGHTS = [
  'documentsAccess',
  'documentsList',
  'documentsSettings',
  'organizationSettings',
  'documentsPackagesRoute',
  'routedDocumentsPackagesView',
  'packagesAccess',
  'packagesList',
  'packagesSettings',
] as const
export type Right = (typeof RIGHTS)[number]

/** The employee of A whom the settings grant one right by their IIN. */
export const iinWith = (right: Right) => `IIN20000000000${RIGHTS.indexOf(right)}`
/** The extended key usage that the settings of A and of B grant one right to. */
export const roleWith = (right: Right) => `1.2.398.3.3.4.1.2.6.${900 + RIGHTS.indexOf(right)}`
/** Every certificate of A that `setUp` lists, in this order; B lists as many, with every right. */
export const SYSTEMS = [...RIGHTS, 'none', 'disabled'] as const

/** A caller as plain facts; `oracle.ts` derives what they may do. */
export interface MatrixCaller {
  readonly name: string
  readonly kind: 'anonymous' | 'person' | 'employee' | 'system' | 'refused'
  readonly iin?: string
  readonly bin?: string
  /** Rights in the organization `bin`. */
  readonly rights: readonly Right[]
  readonly roles?: readonly string[]
  /** Position of the certificate in the list of the organization; `unlisted` is in no list. */
  readonly certificate?: number | 'unlisted'
}

const person = (name: string, iin: string): MatrixCaller => ({ name, kind: 'person', iin, rights: [] })
const employee = (
  name: string,
  iin: string,
  bin: string,
  rights: readonly Right[] = [],
  roles: readonly string[] = [],
): MatrixCaller => ({ name, kind: 'employee', iin, bin, rights, roles })
const system = (name: string, bin: string, certificate: number, rights: readonly Right[] = []): MatrixCaller => ({
  name,
  kind: 'system',
  bin,
  certificate,
  rights,
})

const everyRole = RIGHTS.map(roleWith)

export const CALLERS: readonly MatrixCaller[] = [
  { name: 'nobody', kind: 'anonymous', rights: [] },
  person('a stranger', STRANGER),
  person('the signer', SIGNER),
  employee('the signer as an employee of A', SIGNER, A),
  employee('the signer as an employee of B', SIGNER, B),
  employee('the worker of A', WORKER, A),
  person('the worker as a person', WORKER),
  employee('the worker as an employee of B', WORKER, B),
  person('the named one', NAMED),
  employee('the named one as an employee of A', NAMED, A),
  employee('the named one as an employee of B', NAMED, B),
  employee('an employee of A without rights', PLAIN, A),
  employee('an employee of C without rights', PLAIN, C),
  employee('the first head of A', HEAD, A, RIGHTS, [ROLES.head]),
  employee('the first head of A, by BTSD', HEAD, A, RIGHTS, [BTSD_HEAD]),
  employee('the first head of B', HEAD, B, RIGHTS, [ROLES.head]),
  person('the first head of A as a person', HEAD),
  employee('an employee of A with every right', GRANTED, A, RIGHTS),
  employee('the same IIN in B, which grants it too', GRANTED, B, RIGHTS),
  employee('the same IIN in C, which grants nothing', GRANTED, C),
  person('the same IIN as a person', GRANTED),
  employee('an employee of B in every role that A grants to', PLAIN, B, RIGHTS, everyRole),
  employee('an employee of C in every role that A grants to', STRANGER, C, [], everyRole),
  ...RIGHTS.map((right) => employee(`an employee of A with ${right}`, iinWith(right), A, [right])),
  ...RIGHTS.map((right) => employee(`an employee of A in a role with ${right}`, PLAIN, A, [right], [roleWith(right)])),
  ...RIGHTS.map((right, index) => system(`a system of A with ${right}`, A, index, [right])),
  system('a system of A without rights', A, SYSTEMS.indexOf('none')),
  system('a system of B with every right', B, 0, RIGHTS),
  { name: 'a disabled system of A', kind: 'refused', bin: A, certificate: SYSTEMS.indexOf('disabled'), rights: [] },
  { name: 'a system that nobody lists', kind: 'refused', certificate: 'unlisted', rights: [] },
]

/** The certificate that somebody logs in and signs with. */
export function certify(
  authorities: DevAuthorities,
  iin: string,
  bin?: string,
  roles: readonly string[] = [],
): Subject {
  const bare = iin.slice(3)
  if (bin === undefined) return authorities.person({ iin: bare })
  const purposes = [PURPOSES.emailProtection, PURPOSES.organization, ...roles]
  return authorities.employee({ iin: bare, bin: bin.slice(3), purposes })
}
