import { digestAlgorithms } from '../algorithms/digest.js'
import { RegistryError } from '../error.js'
import { aloneInContext } from '../xml/alone-in-context.js'
import { elementChildren } from '../xml/element-content.js'
import { isExternal } from '../xml/external-content.js'
import { findSignatures } from '../xml/find-signatures.js'
import type { XmlElement } from '../xml/node.js'
import { parseXml } from '../xml/parse-xml.js'
import { DSIG } from '../xml/signature-element.js'
import { xmlText } from '../xml/xml-text.js'

/** An XML signature of a container, as an element of its own, and the files that it names. */
export interface XadesSignature {
  readonly text: string
  readonly references: readonly FileReference[]
}

/** A reference to a file outside of the signature (XMLDSig 1.1, 4.4.3). */
export interface FileReference {
  readonly uri: string
  /** OID of the digest algorithm; `undefined` for an unknown one. */
  readonly oid: string | undefined
  /** Whether another form of the file is digested. */
  readonly isTransformed: boolean
}

/** The signatures in a file of `META-INF`; `undefined` where it has none that could be read. */
export function xadesSignatures(bytes: Uint8Array): readonly XadesSignature[] | undefined {
  try {
    const xml = xmlText(bytes)
    const found = findSignatures(parseXml(xml).root).filter(({ within }) => within === undefined)
    if (found.length === 0) return undefined
    return found.map(({ element }) => ({ text: aloneInContext(xml, element), references: referencesOf(element) }))
  } catch (error) {
    if (error instanceof RegistryError) return undefined
    throw error
  }
}

function referencesOf(signature: XmlElement): FileReference[] {
  const info = elementChildren(signature).find((child) => child.is(DSIG, 'SignedInfo'))
  if (info === undefined) return []
  return elementChildren(info).flatMap((reference) => {
    const uri = reference.is(DSIG, 'Reference') ? reference.attribute('URI') : undefined
    if (!isExternal(uri)) return []
    const parts = elementChildren(reference)
    const method = parts.find((part) => part.is(DSIG, 'DigestMethod'))?.attribute('Algorithm') ?? ''
    return [
      {
        uri,
        oid: digestAlgorithms.find(({ xmlUris }) => xmlUris.includes(method))?.oid,
        isTransformed: parts.some((part) => part.is(DSIG, 'Transforms') && elementChildren(part).length > 0),
      },
    ]
  })
}
