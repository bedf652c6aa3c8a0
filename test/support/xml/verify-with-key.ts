import { publicKey } from '#verifier/algorithms/public-key.js'
import { openSignature } from '#verifier/xml/open-signature.js'
import { parseXml } from '#verifier/xml/parse-xml.js'
import { verifyValue } from '#verifier/xml/signature-value.js'
import { checkReference, newCanonicalBudget } from '#verifier/xml/signed-content.js'
import { XmlIds } from '#verifier/xml/xml-ids.js'
import { DSIG, descendants } from './sign-template.js'

/** Core validation (XMLDSig 1.1, section 3.2) of the one signature in a document, under a key from elsewhere. */
export function verifyWithKey(xml: string, spki: Uint8Array): boolean {
  const document = parseXml(xml)
  const [element, ...others] = descendants(document.root).filter((one) => one.is(DSIG, 'Signature'))
  if (element === undefined || others.length > 0) return false
  const { parts, info } = openSignature(element)
  if (!verifyValue(info, parts.value, publicKey(spki))) return false
  const context = {
    document,
    ids: new XmlIds(document.root),
    signature: parts,
    later: new Set<never>(),
    budget: newCanonicalBudget(),
  }
  for (const reference of info.references) checkReference(reference, context)
  return true
}
