import type { Holder } from './cms/signed-data.js'
import type { HashName } from './hashes.js'
import type { IssuerName } from './hierarchy.js'
import type { KeyKind } from './keys.js'
import { newBin, newIin } from './national-numbers.js'
import { POLICIES, PURPOSES, ROLES } from './oids.js'
import type { SigningKey } from './signing-key.js'
import type { Extension, KeyUsage } from './x509/extensions.js'
import { type NameAttribute, name } from './x509/name.js'

/** Signing documents, or proving who one is. */
export type Use = 'signing' | 'authentication'

/** Options of a certificate; all have defaults. */
export interface CertificateOptions {
  /** Key to generate; `p256` by default. */
  readonly algorithm?: KeyKind
  /** A key that exists already. */
  readonly key?: SigningKey
  /** Who issues it: a CA of these authorities, by default the one with the same algorithm as the key (ECDSA for Ed25519 and Ed448), or anybody else. */
  readonly issuer?: IssuerName | Holder
  /** Digest of the CA's signature. */
  readonly hash?: HashName
  /** Milliseconds since the UNIX epoch; a day before the clock's time by default. */
  readonly validFrom?: number
  /** Milliseconds since the UNIX epoch; a year after the clock's time by default. */
  readonly validUntil?: number
  /** `signing` by default. */
  readonly use?: Use
  readonly keyUsages?: readonly KeyUsage[]
  /** Extended key usages, OIDs. */
  readonly purposes?: readonly string[]
  readonly policies?: readonly string[]
  /** Changes the honest extensions: drop, double, replace. */
  readonly extensions?: (honest: readonly Extension[]) => readonly Extension[]
  /** Name in place of the honest one, DER. */
  readonly subject?: Buffer
}

export interface PersonOptions extends CertificateOptions {
  /** 12 digits; a new one by default. */
  readonly iin?: string
  readonly name?: string
  readonly surname?: string
  readonly patronymic?: string
  readonly email?: string
}

export interface OrganizationOptions {
  /** 12 digits; a new one by default. */
  readonly bin?: string
  readonly organization?: string
}

export interface EmployeeOptions extends PersonOptions, OrganizationOptions {
  /** `employee` by default. */
  readonly role?: Exclude<keyof typeof ROLES, 'system'>
}

export interface SystemOptions extends CertificateOptions, OrganizationOptions {
  readonly name?: string
  /** OID that names the system, written as UID; under 1.2.398.3.3.4.1.2.6. */
  readonly oid?: string
  readonly email?: string
}

/** The identity in a certificate. */
export interface Identity {
  /** Name, DER. */
  readonly subject: Buffer
  /** As people would say it. */
  readonly name: string
  readonly organization?: string
  /** As the registry writes it, where it was chosen. */
  readonly iin?: string
  readonly bin?: string
  readonly email: string | undefined
  /** Extended key usages for each use, OIDs. */
  readonly purposes: Readonly<Record<Use, readonly string[]>>
  readonly policies: Readonly<Record<Use, string>>
}

const ORGANIZATION = 'ТОО "ТЕСТ"'
const PERSON_POLICIES = { signing: POLICIES.personSigning, authentication: POLICIES.personAuthentication }
const ORGANIZATION_POLICIES = {
  signing: POLICIES.organizationSigning,
  authentication: POLICIES.organizationAuthentication,
}

export const personIdentity = (options: PersonOptions): Identity => ({
  subject: personalName(options, []),
  name: spokenName(options),
  ...numbers(options),
  email: options.email,
  purposes: humanPurposes(PURPOSES.person),
  policies: PERSON_POLICIES,
})

export const employeeIdentity = (options: EmployeeOptions): Identity => ({
  subject: personalName(options, organizationName(options)),
  name: spokenName(options),
  organization: options.organization ?? ORGANIZATION,
  ...numbers(options),
  email: options.email,
  purposes: humanPurposes(PURPOSES.organization, ROLES[options.role ?? 'employee']),
  policies: ORGANIZATION_POLICIES,
})

export function systemIdentity(options: SystemOptions): Identity {
  const { name: title = 'ТЕСТ', oid = `${ROLES.system}.1` } = options
  const roles = [PURPOSES.organization, ROLES.system]
  return {
    name: title,
    subject: name(['UID', oid], ['CN', `ИС "${title}"`], ['C', 'KZ'], ...organizationName(options)),
    email: options.email,
    purposes: { signing: roles, authentication: [PURPOSES.clientAuth, ...roles] },
    policies: ORGANIZATION_POLICIES,
  }
}

const numbers = ({ iin, bin }: PersonOptions & Pick<OrganizationOptions, 'bin'>) => ({
  ...(iin !== undefined && { iin: `IIN${iin}` }),
  ...(bin !== undefined && { bin: `BIN${bin}` }),
})

const spokenName = ({ surname = 'ТЕСТОВ', name: given = 'ТЕСТ' }: PersonOptions): string => `${surname} ${given}`

function personalName(options: PersonOptions, organization: readonly NameAttribute[]): Buffer {
  const { iin = newIin(), surname = 'ТЕСТОВ', name: given = 'ТЕСТ', patronymic = 'ТЕСТОВИЧ' } = options
  return name(
    ['CN', `${surname} ${given}`],
    ['SURNAME', surname],
    ['SERIALNUMBER', `IIN${iin}`],
    ['C', 'KZ'],
    ...organization,
    ['GIVENNAME', patronymic],
  )
}

const organizationName = ({ bin = newBin(), organization = ORGANIZATION }: OrganizationOptions): NameAttribute[] => [
  ['O', organization],
  ['OU', `BIN${bin}`],
]

const humanPurposes = (...roles: readonly string[]) => ({
  signing: [PURPOSES.emailProtection, ...roles],
  authentication: [PURPOSES.clientAuth, ...roles],
})

/** Key usages of a certificate for such a key. */
export function honestKeyUsages(use: Use, family: SigningKey['family']): readonly KeyUsage[] {
  if (use === 'signing') return ['digitalSignature', 'nonRepudiation']
  if (family === 'eddsa') return ['digitalSignature']
  return ['digitalSignature', family === 'rsa' ? 'keyEncipherment' : 'keyAgreement']
}
