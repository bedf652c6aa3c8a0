import {
  Certificate,
  type CmsOptions,
  decodeSignature,
  isNotDer,
  type ReadSignature,
  readCms,
  readElement,
  readXmlSignature,
  signatureErrors,
} from '@signed-registry/verifier'

/** A signature as a request brings it, or as it is kept: CMS as DER, XML as UTF-8. */
export interface SignatureSource {
  readonly signType?: 'cms' | 'xml'
  readonly signature: string | Uint8Array
}

/** Reads a signature; nothing is trusted yet. */
export function readSignature(
  { signType = 'cms', signature }: SignatureSource,
  options: Pick<CmsOptions, 'algorithms' | 'at'>,
): ReadSignature {
  if (signType === 'cms')
    return readCms(typeof signature === 'string' ? decodeSignature(signature) : signature, options)
  if (signType === 'xml')
    return readXmlSignature(
      typeof signature === 'string' ? signature : Buffer.from(signature).toString('utf8'),
      options,
    )
  throw signatureErrors.error('signatureTypeNotSupported', { signType })
}

/** More than a signature with its evidence and a few certificates takes: as much as is read in some 15 ms. */
const LARGE = 65_536

/** Whether reading it may take so long that it is left to another thread: content to hash, or something made to be slow. */
export const isLarge = ({ signature }: SignatureSource): boolean => signature.length > LARGE

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
