import type { Certificate } from '../x509/certificate.js'

const ANY_EXTENDED_KEY_USAGE = '2.5.29.37.0'

/** Whether a rule is about a purpose: it is that purpose, or an arc that ends with a dot and stands for all under it. */
export const coversPurpose = (rule: string, oid: string): boolean =>
  rule.endsWith('.') ? oid.startsWith(rule) : oid === rule

/**
 * What is left of the purposes `wanted`, each a purpose or an arc, in a certificate's extended key usage; one without the
 * extension, or with anyExtendedKeyUsage, leaves all of them.
 */
export function purposesLeft({ extensions }: Certificate, wanted: readonly string[]): readonly string[] {
  const usage = extensions.extKeyUsage
  if (usage === undefined || usage.oids.includes(ANY_EXTENDED_KEY_USAGE)) return wanted
  return usage.oids.filter((oid) => wanted.some((rule) => coversPurpose(rule, oid)))
}
