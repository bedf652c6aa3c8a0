import type { Certificate } from '../x509/certificate.js'

const ANY_EXTENDED_KEY_USAGE = '2.5.29.37.0'

/** Whether a rule covers a purpose: it is its OID, or a prefix that ends with a dot. */
export const coversPurpose = (rule: string, oid: string): boolean =>
  rule.endsWith('.') ? oid.startsWith(rule) : oid === rule

/**
 * The purposes of `wanted` (OIDs or prefixes) that a certificate's extended key usage allows; without the extension, or with
 * anyExtendedKeyUsage, all of them.
 */
export function purposesLeft({ extensions }: Certificate, wanted: readonly string[]): readonly string[] {
  const usage = extensions.extKeyUsage
  if (usage === undefined || usage.oids.includes(ANY_EXTENDED_KEY_USAGE)) return wanted
  return usage.oids.filter((oid) => wanted.some((rule) => coversPurpose(rule, oid)))
}
