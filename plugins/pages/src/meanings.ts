import { englishNames, stringConsts } from '@signed-registry/core'
import type { Language } from './language.js'

/** Extended key usages that are roles in an organization. */
const ROLE = /^1\.2\.398\.3\.(3\.4\.1\.2\.[1-6]|17\.3\.[3-7]|2\.3\.4)$/

/** The name of an OID if it is known, or else the OID. */
export function meaning(language: Language, oid: string): string {
  if (language === 'en') return englishNames[oid] ?? oid
  const { signatureAlgorithmOIDs, extKeyUsageOIDs, policyOIDs } = stringConsts
  for (const known of [signatureAlgorithmOIDs, extKeyUsageOIDs, policyOIDs]) {
    const found: { readonly ru: string; readonly kk: string } | undefined = known[oid]
    if (found !== undefined) return found[language]
  }
  return oid
}

/** The roles among the extended key usages of a certificate, in words. */
export const roles = (language: Language, purposes: readonly string[]): string[] =>
  purposes.filter((oid) => ROLE.test(oid)).map((oid) => meaning(language, oid))
