import type { Canonicalization } from '../algorithms/canonicalization.js'
import type { DocumentContent } from '../document-content.js'
import { RegistryError } from '../error.js'
import type { SignedDigest } from '../signature.js'
import { canonicalize } from './canonicalize.js'
import { parseXml } from './parse-xml.js'
import type { Reference } from './reference.js'
import { notParsed } from './xml-errors.js'
import { xmlText } from './xml-text.js'

/** Whether a reference is external, not same-document (XMLDSig 1.1, 4.4.3.1). */
export const isExternal = (uri: string | undefined): uri is string =>
  uri !== undefined && uri !== '' && !uri.startsWith('#')

/**
 * The data digested for an external file: its octets or its canonical form, or its digest where that is all that is known. A missing
 * file is refused with its URI; nothing is ever fetched.
 */
export function externalContent(
  reference: Reference,
  resolve: ((uri: string) => DocumentContent | undefined) | undefined,
): { readonly bytes?: Uint8Array; readonly digest?: Uint8Array } {
  const { uri = '', digest } = reference
  const form = externalForm(reference)
  const found = resolve?.(uri)
  if (found instanceof Uint8Array) return { bytes: form === undefined ? found : canonicalFile(found, form) }
  const known = form === undefined ? found?.get(digest.oid) : undefined
  if (known === undefined) throw notParsed('externalReference', { uri })
  return { digest: known }
}

/** The canonicalization of an external file before digesting, `undefined` for none. Other transforms are refused. */
export function externalForm({ uri = '', transforms }: Reference): Canonicalization | undefined {
  if (uri.includes('#')) throw notParsed('externalFragment', { uri })
  const { enveloped, withoutSignatures, base64, canonicalization } = transforms
  const transform = (enveloped && 'enveloped-signature') || (withoutSignatures && 'xpath') || (base64 && 'base64')
  if (transform !== false) throw notParsed('transformNotAllowed', { uri, transform })
  return canonicalization
}

/** The digest of the document in a reference. */
export function signedDigest(reference: Reference): SignedDigest {
  const { digest, digestValue, uri } = reference
  const form = isExternal(uri) ? externalForm(reference) : undefined
  return { oid: digest.oid, value: digestValue, ...(form === undefined ? {} : { form }) }
}

/** An XML file in canonical form; throws if it is malformed. */
const canonicalFile = (bytes: Uint8Array, form: Canonicalization): Uint8Array =>
  canonicalize(parseXml(xmlText(bytes)), form)

/** A document in the form that is digested; `undefined` if it cannot be canonicalized. */
export function writtenFile(bytes: Uint8Array, form: Canonicalization | undefined): Uint8Array | undefined {
  if (form === undefined) return bytes
  try {
    return canonicalFile(bytes, form)
  } catch (error) {
    if (error instanceof RegistryError) return undefined
    throw error
  }
}
