import { type CertificateStatus, type OcspContext, RegistryError, verifyOcsp } from '@signed-registry/verifier'

/**
 * The status that an OCSP answer in `SignedData.crls` proves; `undefined` where none does. Anybody may add answers there, so one
 * that proves nothing refuses nothing: the authority is asked as if it were not there.
 */
export function carriedStatus(about: OcspContext): CertificateStatus | undefined {
  for (const { response } of about.evidence?.answers ?? []) {
    try {
      return verifyOcsp(response, about)
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error
    }
  }
  return undefined
}
