import { KEY_STORAGE_PKCS12, POLICIES, PURPOSES } from '../oids.js'
import {
  basicConstraints,
  certificatePolicies,
  crlDistributionPoint,
  type Extension,
  emailAddress,
  extendedKeyUsage,
  type KeyUsage,
  keyStorage,
  keyUsage,
  ocspAddress,
  ocspNoCheck,
  subjectKeyIdentifier,
} from './extensions.js'

/** The extensions of an authority's certificate; the issuer adds which key signed it. */
export type Profile = (spki: Buffer) => readonly Extension[]

export const caProfile: Profile = (spki) => [
  basicConstraints(true),
  keyUsage(['keyCertSign', 'cRLSign']),
  subjectKeyIdentifier(spki),
]

export const timeStampingProfile: Profile = (spki) => [
  keyUsage(['digitalSignature', 'nonRepudiation']),
  // RFC 3161 2.3: critical, and the only purpose.
  extendedKeyUsage([PURPOSES.timeStamping], true),
  certificatePolicies([POLICIES.timeStamping]),
  subjectKeyIdentifier(spki),
]

export const ocspProfile: Profile = (spki) => [
  keyUsage(['digitalSignature']),
  extendedKeyUsage([PURPOSES.ocspSigning]),
  ocspNoCheck(),
  subjectKeyIdentifier(spki),
]

/** What varies among the certificates of people and systems. */
export interface EndEntity {
  readonly keyUsages: readonly KeyUsage[]
  readonly purposes: readonly string[]
  readonly policies: readonly string[]
  readonly email?: string | undefined
  readonly ocspUrl: string
  readonly crlUrl: string
}

export const endEntityExtensions = (spki: Buffer, entity: EndEntity): readonly Extension[] => [
  keyUsage(entity.keyUsages),
  ...(entity.purposes.length === 0 ? [] : [extendedKeyUsage(entity.purposes)]),
  ...(entity.policies.length === 0 ? [] : [certificatePolicies(entity.policies)]),
  keyStorage(KEY_STORAGE_PKCS12),
  ...(entity.email === undefined ? [] : [emailAddress(entity.email)]),
  crlDistributionPoint(entity.crlUrl),
  ocspAddress(entity.ocspUrl),
  subjectKeyIdentifier(spki),
]
