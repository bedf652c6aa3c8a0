import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '@signed-registry/core'
import { OcspResponder } from './authority/ocsp.js'
import { TimeStampingAuthority } from './authority/time-stamping.js'
import { CertificationAuthority } from './certification-authority.js'
import { type CredentialStore, folderCredentials, memoryCredentials } from './credential-store.js'
import { Hierarchy, ISSUERS, type IssuerName } from './hierarchy.js'
import { generateKey } from './keys.js'
import { PEOPLE, type PersonName } from './named-people.js'
import { pem } from './pem.js'
import {
  type CertificateOptions,
  type EmployeeOptions,
  employeeIdentity,
  honestKeyUsages,
  type Identity,
  type PersonOptions,
  personIdentity,
  type SystemOptions,
  systemIdentity,
} from './people.js'
import { type EvidenceSource, Subject } from './subject.js'
import { certificateFields } from './x509/certificate.js'
import type { RevocationReason } from './x509/crl.js'
import { endEntityExtensions } from './x509/profiles.js'

const DAY = 24 * 60 * 60 * 1000
const YEAR = 365 * DAY

export interface DevAuthoritiesOptions {
  /** Time of signatures, stamps and answers; the system's by default. */
  readonly clock?: Clock
  /** Where keys are stored; in memory by default. */
  readonly credentials?: CredentialStore
  /** Stores authorities and people as PEM in this folder, and loads them from there. */
  readonly folder?: string
  /** Addresses that certificates name; nothing needs to listen there unless a host asks over HTTP. */
  readonly ocspUrl?: string
  readonly crlUrl?: string
}

/** A national public key infrastructure in memory: root, issuing CAs, TSA, OCSP responder, people, organizations and systems. */
export class DevAuthorities {
  readonly hierarchy: Hierarchy
  /** Answers OCSPRequests. */
  readonly ocsp: OcspResponder
  /** Answers TimeStampReqs. */
  readonly tsa: TimeStampingAuthority
  readonly ocspUrl: string
  private readonly crlUrl: string
  private readonly clock: Clock
  private readonly credentials: CredentialStore
  private readonly evidence: EvidenceSource

  private constructor(options: DevAuthoritiesOptions) {
    // Not core's `systemClock`, for which the commands would have to load all of core.
    this.clock = options.clock ?? { now: () => Date.now() }
    this.credentials =
      options.credentials ?? (options.folder === undefined ? memoryCredentials() : folderCredentials(options.folder))
    this.hierarchy = new Hierarchy(this.credentials)
    this.ocspUrl = options.ocspUrl ?? 'http://ocsp.dev-authorities.invalid/'
    this.crlUrl = options.crlUrl ?? 'http://crl.dev-authorities.invalid/'
    this.ocsp = new OcspResponder(() => this.hierarchy.jurisdictions(), this.clock)
    this.tsa = new TimeStampingAuthority(
      () => this.hierarchy.timeStamping,
      () => [this.hierarchy.issuing('rsa').certificate],
      this.clock,
    )
    this.evidence = {
      now: () => this.clock.now(),
      stamp: (data) => this.tsa.stamp(data),
      status: (certificate, issuer) => this.ocsp.status(certificate, issuer),
    }
  }

  /** Creates the authorities or loads them; a folder is filled with everybody at once. */
  static create(options: DevAuthoritiesOptions = {}): DevAuthorities {
    const authorities = new DevAuthorities(options)
    if (options.folder !== undefined) authorities.fill(options.folder)
    return authorities
  }

  /** Certificates to trust, DER: the root. */
  get anchors(): readonly Buffer[] {
    return [this.hierarchy.root.certificate]
  }

  /** Certificates to build paths with, DER: the issuing CAs. */
  get intermediates(): readonly Buffer[] {
    return ISSUERS.map((issuer) => this.hierarchy.issuing(issuer).certificate)
  }

  /** A person who signs in their own name. */
  person(options: PersonOptions = {}): Subject {
    return this.certify(personIdentity(options), options)
  }

  /** A person who signs for an organization. */
  employee(options: EmployeeOptions = {}): Subject {
    return this.certify(employeeIdentity(options), options)
  }

  /** An organization's information system. */
  system(options: SystemOptions = {}): Subject {
    return this.certify(systemIdentity(options), options)
  }

  /** An authentication certificate for the same subject, with its own key. */
  authenticationCertificate(of: Subject, options: CertificateOptions = {}): Subject {
    return this.certify(of.identity, { use: 'authentication', ...options })
  }

  /** One of the named subjects. */
  named(name: PersonName): Subject {
    const { identity, options } = PEOPLE[name]
    const holder = this.credentials.take(`people/${name}`, () => this.certify(identity, options))
    const issuer = this.issuerOf(holder.certificate)
    issuer.recognize(holder.certificate)
    return new Subject(holder, issuer.certificate, identity, this.evidence)
  }

  /** Revokes a certificate as of `at`, in OCSP responses and CRLs. */
  revoke(subject: Subject, at: number = this.clock.now(), reason: RevocationReason = 'keyCompromise'): void {
    this.issuerOf(subject.certificate).revoke(subject.certificate, at, reason)
  }

  /** A complete CRL of an issuing CA, DER. */
  crl(issuer: IssuerName = 'rsa'): Buffer {
    return this.hierarchy.issuing(issuer).crl(this.clock.now())
  }

  private fill(folder: string): void {
    this.hierarchy.fill()
    for (const name of Object.keys(PEOPLE) as PersonName[]) this.named(name)
    const trusted = [...this.anchors, ...this.intermediates].map((certificate) => pem('CERTIFICATE', certificate))
    writeFileSync(join(folder, 'trust.pem'), trusted.join(''))
  }

  private certify(identity: Identity, options: CertificateOptions): Subject {
    const key = options.key ?? generateKey(options.algorithm ?? 'p256')
    const use = options.use ?? 'signing'
    const by = options.issuer ?? (key.family === 'eddsa' ? 'ecdsa' : key.family)
    const issuer = typeof by === 'string' ? this.hierarchy.issuing(by) : new CertificationAuthority(by)
    const honest = endEntityExtensions(key.spki, {
      keyUsages: options.keyUsages ?? honestKeyUsages(use, key.family),
      purposes: options.purposes ?? identity.purposes[use],
      policies: options.policies ?? [identity.policies[use]],
      email: identity.email,
      ocspUrl: this.ocspUrl,
      crlUrl: this.crlUrl,
    })
    const certificate = issuer.issue({
      subject: options.subject ?? identity.subject,
      spki: key.spki,
      notBefore: options.validFrom ?? this.clock.now() - DAY,
      notAfter: options.validUntil ?? this.clock.now() + YEAR,
      extensions: options.extensions?.(honest) ?? honest,
      hash: options.hash,
    })
    return new Subject({ certificate, key }, issuer.certificate, identity, this.evidence)
  }

  private issuerOf(certificate: Buffer): CertificationAuthority {
    const { issuer } = certificateFields(certificate)
    const found = ISSUERS.map((name) => this.hierarchy.issuing(name)).find(({ certificate: ca }) =>
      certificateFields(ca).subject.equals(issuer),
    )
    if (found === undefined) throw new TypeError('The certificate was not issued by these authorities')
    return found
  }
}
