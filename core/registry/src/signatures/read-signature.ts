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

/** A signature from a request or from storage: CMS as DER, XML as UTF-8. */
export interface SignatureSource {
  readonly signType?: 'cms' | 'xml'
  readonly signature: string | Uint8Array
  /** The URI of the document, where an XML signature is over several. */
  readonly documentUri?: string | undefined
}

/** Parses a signature; nothing is trusted yet. */
export function readSignature(
  { signType = 'cms', signature, documentUri }: SignatureSource,
  options: Pick<CmsOptions, 'algorithms' | 'at'>,
): ReadSignature {
  if (signType === 'cms')
    return readCms(typeof signature === 'string' ? decodeSignature(signature) : signature, options)
  if (signType === 'xml')
    return readXmlSignature(typeof signature === 'string' ? signature : Buffer.from(signature).toString('utf8'), {
      ...options,
      documentUri,
    })
  throw signatureErrors.error('signatureTypeNotSupported', { signType })
}

/** Bytes: more than a signature with evidence and a few certificates needs, and parsed in some 15 ms. */
const MAX_SMALL = 65_536

/** Whether parsing may take so long that another thread should do it: content to hash, or crafted to be slow. */
export const isLarge = ({ signature }: SignatureSource): boolean => signature.length > MAX_SMALL

/** Parses the certificates stored with a signature: concatenated DER. */
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
