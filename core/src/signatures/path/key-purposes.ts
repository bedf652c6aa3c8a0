import type { Certificate } from '../x509/certificate.js'

const ANY_EXTENDED_KEY_USAGE = '2.5.29.37.0'

/** The purposes out of `wanted` that a certificate leaves open; one without the extension leaves all of them. */
export function purposesLeft({ extensions }: Certificate, wanted: readonly string[]): readonly string[] {
  const usage = extensions.extKeyUsage
  if (usage === undefined || usage.oids.includes(ANY_EXTENDED_KEY_USAGE)) return wanted
  return wanted.filter((purpose) => usage.oids.includes(purpose))
}
