import { Certificate, isNotDer, readElement, signatureErrors } from '@signed-registry/verifier'

/** Certificates that are kept beside a signature, DER one after the other. */
export function readCertificates(bytes: Uint8Array): Certificate[] {
  const certificates: Certificate[] = []
  try {
    for (let offset = 0; offset < bytes.length; ) {
      const element = readElement(bytes, offset)
      certificates.push(Certificate.read(element))
      offset = element.end
    }
    return certificates
  } catch (error) {
    if (!isNotDer(error)) throw error
    throw signatureErrors.error('certificatePathNotBuilt', { reason: 'certificateMalformed' }, error)
  }
}
