import { stringConsts } from '@signed-registry/core'
import type { Language } from './language.js'

/** English names of what certificates say by number; the others are those of `GET /api/strings`. */
const ENGLISH: Readonly<Record<string, string>> = {
  '1.2.398.3.3.4.1.2.1': 'Head of the organization',
  '1.2.398.3.3.4.1.2.2': 'Person with the right to sign',
  '1.2.398.3.3.4.1.2.3': 'Person with the right to sign financial documents',
  '1.2.398.3.3.4.1.2.4': 'Employee of human resources',
  '1.2.398.3.3.4.1.2.5': 'Employee of the organization',
  '1.2.398.3.3.4.1.2.6': 'Information system of the organization',
  '1.2.398.3.17.3.3': 'Head of the organization (BTSD)',
  '1.2.398.3.17.3.4': 'Person with the right to sign (BTSD)',
  '1.2.398.3.17.3.5': 'Person with the right to sign financial documents (BTSD)',
  '1.2.398.3.17.3.6': 'Employee of human resources (BTSD)',
  '1.2.398.3.17.3.7': 'Employee of the organization (BTSD)',
  '1.2.398.3.2.3.4': 'Public servant',
  '1.2.840.113549.1.1.1': 'RSA',
  '1.2.840.113549.1.1.10': 'RSA-PSS',
  '1.2.840.113549.1.1.11': 'RSA with SHA-256',
  '1.2.840.113549.1.1.12': 'RSA with SHA-384',
  '1.2.840.113549.1.1.13': 'RSA with SHA-512',
  '1.2.840.10045.4.3.2': 'ECDSA with SHA-256',
  '1.2.840.10045.4.3.3': 'ECDSA with SHA-384',
  '1.2.840.10045.4.3.4': 'ECDSA with SHA-512',
  '1.3.101.112': 'Ed25519',
  '1.3.101.113': 'Ed448',
  '1.2.398.3.10.1.1.2.3.1': 'GOST 34.10-2015, 256 bits',
  '1.2.398.3.10.1.1.2.3.2': 'GOST 34.10-2015, 512 bits',
  '1.2.398.3.10.1.1.1.2': 'GOST 34.310-2004',
}

/** Purposes of keys that tell what somebody may do for an organization. */
const ROLE = /^1\.2\.398\.3\.(3\.4\.1\.2\.[1-6]|17\.3\.[3-7]|2\.3\.4)$/

/** What a number means, where that is known; else the number. */
export function meaning(language: Language, oid: string): string {
  if (language === 'en') return ENGLISH[oid] ?? oid
  const { signatureAlgorithmOIDs, extKeyUsageOIDs, policyOIDs } = stringConsts
  for (const known of [signatureAlgorithmOIDs, extKeyUsageOIDs, policyOIDs]) {
    const found: { readonly ru: string; readonly kk: string } | undefined = known[oid]
    if (found !== undefined) return found[language]
  }
  return oid
}

/** The roles among the purposes of a certificate, in words. */
export const roles = (language: Language, purposes: readonly string[]): string[] =>
  purposes.filter((oid) => ROLE.test(oid)).map((oid) => meaning(language, oid))
