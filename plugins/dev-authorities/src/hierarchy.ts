import type { Jurisdiction } from './authority/ocsp.js'
import { CertificationAuthority } from './certification-authority.js'
import type { Holder } from './cms/signed-data.js'
import type { CredentialStore } from './credential-store.js'
import { generateKey, type KeyKind } from './keys.js'
import type { SigningKey } from './signing-key.js'
import { signCertificate } from './x509/certificate.js'
import { authorityKeyIdentifier } from './x509/extensions.js'
import { name } from './x509/name.js'
import { caProfile, ocspProfile, type Profile, timeStampingProfile } from './x509/profiles.js'

/** Validity of authorities and named people, independent of the clock, so that no test sees them expire. */
export const VALIDITY = { notBefore: Date.UTC(2020, 0, 1), notAfter: Date.UTC(2045, 0, 1) } as const

/** The issuing CAs, named by the algorithm of their keys. */
export type IssuerName = Exclude<SigningKey['family'], 'eddsa'>

const ISSUER_KEYS: Readonly<Record<IssuerName, KeyKind>> = { rsa: 'rsa2048', ecdsa: 'p256', gost: 'gost512' }
export const ISSUERS = ['rsa', 'ecdsa', 'gost'] as const satisfies readonly IssuerName[]

/** The root, the issuing CAs and their delegated responders; each is created on first use. */
export class Hierarchy {
  private readonly authorities = new Map<string, CertificationAuthority>()
  private readonly delegates = new Map<string, Holder>()

  constructor(private readonly credentials: CredentialStore) {}

  get root(): CertificationAuthority {
    return this.authority('root', selfSigned)
  }

  issuing(issuer: IssuerName): CertificationAuthority {
    const kind = ISSUER_KEYS[issuer]
    const commonName = `DEVELOPMENT ISSUING CA (${issuer.toUpperCase()})`
    return this.authority(`issuing-${issuer}`, () => certify(this.root, kind, commonName, caProfile))
  }

  /** Signs time stamps. */
  get timeStamping(): Holder {
    const make = (ca: CertificationAuthority) => certify(ca, 'rsa2048', 'DEVELOPMENT TSA', timeStampingProfile)
    return this.delegate('tsa', this.issuing('rsa'), make)
  }

  /** Makes all of them. */
  fill(): void {
    const delegates = [() => this.timeStamping, ...this.jurisdictions().map(({ responder }) => responder)]
    for (const make of delegates) make()
  }

  /** Every CA with the delegate that signs OCSP answers for it. */
  jurisdictions(): Jurisdiction[] {
    const jurisdiction = (id: string, ca: CertificationAuthority, kind: KeyKind): Jurisdiction => ({
      issuer: ca.certificate,
      responder: () =>
        this.delegate(`ocsp-${id}`, ca, () => certify(ca, kind, 'DEVELOPMENT OCSP RESPONDER', ocspProfile)),
      status: (serial) => ca.status(serial),
    })
    const issuing = ISSUERS.map((issuer) => jurisdiction(issuer, this.issuing(issuer), ISSUER_KEYS[issuer]))
    return [...issuing, jurisdiction('root', this.root, 'p256')]
  }

  private authority(id: string, make: () => Holder): CertificationAuthority {
    let authority = this.authorities.get(id)
    if (authority === undefined) {
      authority = new CertificationAuthority(this.credentials.take(`authorities/${id}`, make))
      this.authorities.set(id, authority)
      if (id !== 'root') this.root.recognize(authority.certificate)
    }
    return authority
  }

  private delegate(id: string, ca: CertificationAuthority, make: (ca: CertificationAuthority) => Holder): Holder {
    let holder = this.delegates.get(id)
    if (holder === undefined) {
      holder = this.credentials.take(`authorities/${id}`, () => make(ca))
      this.delegates.set(id, holder)
      ca.recognize(holder.certificate)
    }
    return holder
  }
}

function selfSigned(): Holder {
  const key = generateKey('rsa2048')
  const subject = name(['CN', 'DEVELOPMENT ROOT CA'], ['O', 'NOT TRUSTED OUTSIDE DEVELOPMENT'], ['C', 'KZ'])
  const extensions = [...caProfile(key.spki), authorityKeyIdentifier(key.spki)]
  return {
    key,
    certificate: signCertificate({ ...VALIDITY, subject, issuer: subject, spki: key.spki, extensions }, key),
  }
}

function certify(ca: CertificationAuthority, kind: KeyKind, commonName: string, profile: Profile): Holder {
  const key = generateKey(kind)
  const subject = name(['CN', commonName], ['C', 'KZ'])
  return { key, certificate: ca.issue({ ...VALIDITY, subject, spki: key.spki, extensions: profile(key.spki) }) }
}
