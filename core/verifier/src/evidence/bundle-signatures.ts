import { RegistryError } from '../error.js'
import { trustEntries } from '../path/read-trust.js'
import type { GivenSignature } from '../verify-files.js'
import { Certificate } from '../x509/certificate.js'
import { CERTIFICATES_FILE } from './known-files.js'
import type { OpenEvidence, OpenSignature } from './open-evidence.js'

const MAX_CERTIFICATES = 1000

/** The certificates that a bundle brings along: to build paths with, never to trust. */
export function certificatesIn({ certificates }: Pick<OpenEvidence, 'certificates'>): Certificate[] {
  try {
    const entries = trustEntries({ name: CERTIFICATES_FILE, bytes: certificates })
    return entries.slice(0, MAX_CERTIFICATES).map(({ der }) => Certificate.parse(der))
  } catch (error) {
    if (error instanceof RegistryError) return []
    throw error
  }
}

/** A signature of a bundle with its evidence, to be verified. */
export const givenSignature = (
  { statement, signed, timeStamp, ocsp, crls }: OpenSignature,
  candidates: readonly Certificate[],
): GivenSignature & { readonly signed: Uint8Array } => ({
  name: statement.signature,
  signed,
  known: { evidence: { timeStamp, ocsp, crls }, candidates },
})
