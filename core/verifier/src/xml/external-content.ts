import type { Canonicalization } from '../algorithms/canonicalization.js'
import { RegistryError } from '../error.js'
import type { SignedDigest } from '../signature.js'
import { canonicalize } from './canonicalize.js'
import { parseXml } from './parse-xml.js'
import type { Reference } from './reference.js'
import { notParsed } from './xml-errors.js'
import { xmlText } from './xml-text.js'

/** Whether a reference is to something outside of its document (XMLDSig 1.1, 4.4.3.1). */
export const isExternal = (uri: string | undefined): uri is string =>
  uri !== undefined && uri !== '' && !uri.startsWith('#')

/**
 * What is digested of a file outside: its octets, or it as XML in canonical form. Without a file it is refused with the
 * URI that is missing; nothing is ever fetched.
 */
export function externalContent(
  reference: Reference,
  resolve: ((uri: string) => Uint8Array | undefined) | undefined,
): Uint8Array {
  const { uri = '' } = reference
  const form = externalForm(reference)
  const bytes = resolve?.(uri)
  if (bytes === undefined) throw notParsed('externalReference', { uri })
  return form === undefined ? bytes : canonicalFile(bytes, form)
}

/** How a file outside is written before it is digested: as XML, or `undefined` for as it is. All else is refused. */
export function externalForm({ uri = '', transforms }: Reference): Canonicalization | undefined {
  if (uri.includes('#')) throw notParsed('externalFragment', { uri })
  const { enveloped, withoutSignatures, base64, canonicalization } = transforms
  const transform = (enveloped && 'enveloped-signature') || (withoutSignatures && 'xpath') || (base64 && 'base64')
  if (transform !== false) throw notParsed('transformNotAllowed', { uri, transform })
  return canonicalization
}

/** What a reference says that its document hashes to. */
export function signedDigest(reference: Reference): SignedDigest {
  const { digest, digestValue, uri } = reference
  const form = isExternal(uri) ? externalForm(reference) : undefined
  return { oid: digest.oid, value: digestValue, ...(form === undefined ? {} : { form }) }
}

/** An XML file in canonical form; throws what is wrong with it as XML. */
const canonicalFile = (bytes: Uint8Array, form: Canonicalization): Uint8Array =>
  canonicalize(parseXml(xmlText(bytes)), form)

/** A document as a signature has it written before it is digested; `undefined` where it is none that could be. */
export function writtenFile(bytes: Uint8Array, form: Canonicalization | undefined): Uint8Array | undefined {
  if (form === undefined) return bytes
  try {
    return canonicalFile(bytes, form)
  } catch (error) {
    if (error instanceof RegistryError) return undefined
    throw error
  }
}
