import { SET } from '../der/fields.js'
import { children, DerError, readDer } from '../der/reader.js'
import { readAttribute } from './attributes.js'
import { cmsOids } from './oids.js'

const MAX_ATTRIBUTES_OCTETS = 262_144

/**
 * Whether content is itself a DER SET OF Attribute with a message digest: such bytes are the signed attributes of
 * some other signature, presented as its content (draft-ietf-lamps-cms-euf-cma-signeddata).
 */
export function looksLikeSignedAttributes(content: Uint8Array): boolean {
  if (content[0] !== SET || content.length > MAX_ATTRIBUTES_OCTETS) return false
  try {
    return children(readDer(content))
      .map(readAttribute)
      .some(({ oid }) => oid === cmsOids.messageDigest)
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}
