import type { Canonicalization } from '../../algorithms/canonicalization.js'
import { genTimeOf } from '../../cms/gen-time.js'
import { readSignedData } from '../../cms/signed-data.js'
import { readTstInfo } from '../../cms/tst-info.js'
import type { DocumentContent } from '../../document-content.js'
import { asRefusal, timeStampRefusal } from '../../evidence-refusal.js'
import type { Archived, CarriedArchive } from '../../signature.js'
import { DEFAULT_CANONICALIZATION, readCanonicalization } from '../canonicalization-method.js'
import { canonicalize } from '../canonicalize.js'
import { elementChildren } from '../element-content.js'
import { signedDigest, writtenFile } from '../external-content.js'
import type { XmlElement } from '../node.js'
import type { OpenSignature } from '../open-signature.js'
import type { Reference } from '../reference.js'
import { DSIG } from '../signature-element.js'
import type { SignedContent } from '../signed-content.js'
import { archiveTokens, elementsOf } from './archive-property.js'
import { archivedElements } from './archived-elements.js'

/** Archive time stamps of one signature that are read: each is a pass over it. */
const MAX_ARCHIVES = 16

/**
 * The archive time stamps of an XML signature (EN 319 132-1, 5.5.2.2). `contents` are those of its references in order, `undefined`
 * for the document that comes later.
 */
export function xadesArchives(
  { parts, info, properties }: OpenSignature,
  contents: readonly (SignedContent | undefined)[],
): readonly CarriedArchive[] {
  const groups = elementsOf(properties?.unsigned).filter(({ localName }) => localName === 'UnsignedSignatureProperties')
  const found = groups.flatMap((group) => {
    const all = elementsOf(group)
    return all.flatMap((property, index) =>
      (archiveTokens(property) ?? []).map((token) => ({ property, before: all.slice(0, index), token })),
    )
  })
  return found.slice(0, MAX_ARCHIVES).map(({ property, before, token }) => ({
    token,
    time: genTimeOf(token),
    read(content) {
      try {
        const method = methodOf(property)
        const objects = parts.objects.filter(
          (object) => !elementsOf(object).some((child) => child === properties?.element),
        )
        const { signedInfo, signatureValue, keyInfo } = parts
        const own = keyInfo === undefined ? [] : [keyInfo]
        const elements = [signedInfo, signatureValue, ...own, ...before, ...objects]
        return {
          imprint: imprintOf(token),
          imprinted: [
            [
              ...info.references.map((reference, index) => octetsOf(reference, contents[index], content, method)),
              ...elements.map((element) => canonicalize(element, method)),
            ],
          ],
          digestOids: [],
          covers: archivedElements([...own, ...before]),
        } satisfies Archived
      } catch (error) {
        throw asRefusal('invalidTspTimeStamp', error)
      }
    },
  }))
}

function methodOf(property: XmlElement): Canonicalization {
  const method = elementChildren(property).find((child) => child.is(DSIG, 'CanonicalizationMethod'))
  return method === undefined ? DEFAULT_CANONICALIZATION : readCanonicalization(method)
}

/** What a reference comes to; a node-set, which has no canonicalization of its own, is written by that of the time stamp. */
function octetsOf(
  reference: Reference,
  own: SignedContent | undefined,
  document: DocumentContent | undefined,
  { uri }: Canonicalization,
): Uint8Array {
  const { canonicalization, base64 } = reference.transforms
  if (own === undefined) {
    const written = document instanceof Uint8Array ? writtenFile(document, signedDigest(reference).form) : undefined
    if (written === undefined) throw timeStampRefusal('contentMissing')
    return written
  }
  const isNodeSet = own.apex !== undefined && canonicalization === undefined && !base64
  if (isNodeSet && uri !== DEFAULT_CANONICALIZATION.uri) throw timeStampRefusal('notJudged')
  if (own.byDigest) throw timeStampRefusal('contentMissing')
  return own.bytes
}

const imprintOf = (token: Uint8Array) => readTstInfo(readSignedData(token).content ?? new Uint8Array()).imprint
