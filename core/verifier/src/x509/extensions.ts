import { expectTag, fieldsOf, NULL, OBJECT_IDENTIFIER } from '../der/fields.js'
import { readSmallInteger } from '../der/integer.js'
import { readOid } from '../der/oid.js'
import { type DerElement, readDer } from '../der/reader.js'
import { readAuthorityInfoAccess, readAuthorityKeyIdentifier, readSubjectKeyIdentifier } from './authority.js'
import { readBasicConstraints, readNameConstraints } from './constraints.js'
import { readDistributionPoints } from './distribution-points.js'
import { extensionOids as oids } from './extension-oids.js'
import type { ExtensionTable } from './extension-table.js'
import { readGeneralNames } from './general-name.js'
import { readExtKeyUsage, readKeyUsage } from './key-usage.js'
import { knownQualifiers, readCertificatePolicies, readPolicyConstraints, readPolicyMappings } from './policies.js'

/**
 * Extensions of a certificate, each parsed on first use; undefined when absent. Getters throw DerError for malformed values.
 */
export class Extensions {
  private areAllRead = false

  constructor(readonly raw: ExtensionTable) {}

  get basicConstraints() {
    return this.read(oids.basicConstraints, readBasicConstraints)
  }

  get keyUsage() {
    return this.read(oids.keyUsage, readKeyUsage)
  }

  /** Purposes, and whether the extension is critical. */
  get extKeyUsage() {
    return this.read(oids.extKeyUsage, (value) => ({
      oids: readExtKeyUsage(value),
      critical: this.raw.get(oids.extKeyUsage)?.critical === true,
    }))
  }

  get certificatePolicies() {
    return this.policies?.policies
  }

  /** Type of an unknown policy qualifier in a critical extension (RFC 5280 section 4.2.1.4). */
  get unknownCriticalQualifier() {
    if (this.raw.get(oids.certificatePolicies)?.critical !== true) return undefined
    return [...(this.policies?.qualifiers ?? [])].find((qualifier) => !knownQualifiers.has(qualifier))
  }

  get policyMappings() {
    return this.read(oids.policyMappings, readPolicyMappings)
  }

  get policyConstraints() {
    return this.read(oids.policyConstraints, readPolicyConstraints)
  }

  get inhibitAnyPolicy() {
    return this.read(oids.inhibitAnyPolicy, (value) => readSmallInteger(value))
  }

  get nameConstraints() {
    return this.read(oids.nameConstraints, readNameConstraints)
  }

  get subjectAltName() {
    return this.read(oids.subjectAltName, (value) => readGeneralNames(value))
  }

  get subjectKeyIdentifier() {
    return this.read(oids.subjectKeyIdentifier, readSubjectKeyIdentifier)
  }

  get authorityKeyIdentifier() {
    return this.read(oids.authorityKeyIdentifier, readAuthorityKeyIdentifier)
  }

  get authorityInfoAccess() {
    return this.read(oids.authorityInfoAccess, readAuthorityInfoAccess)
  }

  get crlDistributionPoints() {
    return this.read(oids.crlDistributionPoints, readDistributionPoints)
  }

  get freshestCrl() {
    return this.read(oids.freshestCrl, readDistributionPoints)
  }

  /** Object identifier of the key storage type (1.2.398.3.3.5). */
  get keyStorage() {
    return this.read(oids.keyStorage, (value) => {
      const fields = fieldsOf(value)
      const oid = readOid(fields.take(OBJECT_IDENTIFIER))
      fields.finish()
      return oid
    })
  }

  /** Whether the responder's certificate has ocsp-nocheck (RFC 6960 section 4.2.2.2.1). */
  get ocspNoCheck(): boolean {
    const value = this.raw.get(oids.ocspNoCheck)?.value
    // Certificates of national responders have an empty value instead of NULL.
    if (value !== undefined && value.length > 0) expectTag(readDer(value), NULL)
    return value !== undefined
  }

  /** Parses all known extensions, so that malformed ones are refused; throws DerError. */
  readAll(): void {
    if (this.areAllRead) return
    for (const [oid, extension] of this.raw) {
      const getter = gettersByOid.get(oid)
      const read = seldomAsked.get(oid)
      if (getter !== undefined) void this[getter]
      else if (read !== undefined) extension.check(read)
    }
    this.areAllRead = true
  }

  private get policies() {
    return this.read(oids.certificatePolicies, readCertificatePolicies)
  }

  private read<T>(oid: string, parse: (value: DerElement) => T): T | undefined {
    return this.raw.get(oid)?.read(parse)
  }
}

const GETTERS = [
  'basicConstraints',
  'keyUsage',
  'extKeyUsage',
  'certificatePolicies',
  'policyMappings',
  'policyConstraints',
  'inhibitAnyPolicy',
  'nameConstraints',
  'subjectKeyIdentifier',
  'authorityKeyIdentifier',
  'ocspNoCheck',
  'keyStorage',
] as const

/** Rarely used names and addresses, which are checked but not cached. */
const seldomAsked: ReadonlyMap<string, (value: DerElement) => unknown> = new Map<
  string,
  (value: DerElement) => unknown
>([
  [oids.subjectAltName, (value) => readGeneralNames(value)],
  [oids.authorityInfoAccess, readAuthorityInfoAccess],
  [oids.crlDistributionPoints, readDistributionPoints],
  [oids.freshestCrl, readDistributionPoints],
])

const gettersByOid: ReadonlyMap<string, (typeof GETTERS)[number]> = new Map(
  GETTERS.map((getter) => [oids[getter], getter]),
)
