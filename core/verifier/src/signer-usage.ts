import { DerError } from './der/reader.js'
import { signatureErrors } from './errors.js'
import { coversPurpose } from './path/key-purposes.js'
import type { Certificate } from './x509/certificate.js'
import type { KeyUsage } from './x509/key-usage.js'

/** What a certificate must be meant for, to sign documents or to log its holder in. */
export interface SignerRules {
  /** One must be set in the key usage extension. */
  readonly keyUsages: readonly KeyUsage[]
  /**
   * One must be among the extended key usages when the certificate restricts them: a purpose, or an arc that ends
   * with a dot and stands for all under it.
   */
  readonly purposes: readonly string[]
}

const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2'
const EMAIL_PROTECTION = '1.3.6.1.5.5.7.3.4'
const ANY_PURPOSE = '2.5.29.37.0'
/** National roles of people, employees and information systems, which state signers by what they may do. */
const NATIONAL_ROLES = '1.2.398.'

/** Signing certificates of people and roles; those for authentication, servers or authorities are refused. */
export const defaultSignerRules: SignerRules = {
  keyUsages: ['nonRepudiation'],
  purposes: [EMAIL_PROTECTION, ANY_PURPOSE, NATIONAL_ROLES],
}

/** Certificates for authentication, and those for signing: people may have but one. */
export const authenticationRules: SignerRules = {
  keyUsages: ['digitalSignature', 'nonRepudiation'],
  purposes: [CLIENT_AUTHENTICATION, ...defaultSignerRules.purposes],
}

/** Certificates for authentication alone, and those that are for it beside signing. */
export const authenticationKeyRules: SignerRules = {
  keyUsages: ['digitalSignature'],
  purposes: [CLIENT_AUTHENTICATION, ANY_PURPOSE],
}

/** Refuses a certificate that is not meant for what it was used for; throws `badSignerCertificate`. */
export function requireSignerUsage(certificate: Certificate, rules: SignerRules = defaultSignerRules): void {
  try {
    const { keyUsage, extKeyUsage, basicConstraints } = certificate.extensions
    if (basicConstraints?.ca === true) throw bad('certificateAuthority', certificate)
    if (!rules.keyUsages.some((usage) => keyUsage?.has(usage)))
      throw bad('keyUsage', certificate, { keyUsages: [...(keyUsage ?? [])] })
    if (
      extKeyUsage === undefined ||
      extKeyUsage.oids.some((oid) => rules.purposes.some((rule) => coversPurpose(rule, oid)))
    )
      return
    throw bad('extKeyUsage', certificate, { extKeyUsages: extKeyUsage.oids })
  } catch (error) {
    if (error instanceof DerError) throw bad('certificateMalformed', certificate, {}, error)
    throw error
  }
}

const bad = (reason: string, { subject, serialNumber }: Certificate, facts: object = {}, cause?: unknown) =>
  signatureErrors.error(
    'badSignerCertificate',
    { reason, certificate: { subject: subject.toString(), serialNumber }, ...facts },
    cause,
  )
