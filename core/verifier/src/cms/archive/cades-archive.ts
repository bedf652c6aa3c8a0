import { contextConstructed, expectTag, fieldsOf, OCTET_STRING } from '../../der/fields.js'
import { children, contents, encoded } from '../../der/reader.js'
import { writeElement } from '../../der/writer.js'
import { type DocumentContent, digestOf } from '../../document-content.js'
import { asRefusal, timeStampRefusal } from '../../evidence-refusal.js'
import type { Archived, CarriedArchive } from '../../signature.js'
import type { Attribute } from '../attributes.js'
import { genTimeOf } from '../gen-time.js'
import { archiveForms, cmsOids } from '../oids.js'
import { readSignedData, type SignedData } from '../signed-data.js'
import type { SignerInfo } from '../signer-info.js'
import { type MessageImprint, readTstInfo } from '../tst-info.js'
import { type ArchivedPart, archivedParts, coveredBy } from './archived-parts.js'
import { indexedParts, readHashIndex } from './hash-index.js'

const UNSIGNED = contextConstructed(1)

/** An archive time stamp of a signer of a CMS (EN 319 122-1, 5.5.3; RFC 5126, 6.4.1), which is read when it is judged. */
export function cadesArchive(signed: SignedData, signer: SignerInfo, oid: string, token: Uint8Array): CarriedArchive {
  const form = archiveForms.get(oid)
  return {
    token,
    time: genTimeOf(token),
    read(content) {
      try {
        const archive = { signed, signer, token, content }
        return form === 'v3' ? readV3(archive) : readV2(archive)
      } catch (error) {
        throw asRefusal('invalidTspTimeStamp', error)
      }
    },
  }
}

interface Archive {
  readonly signed: SignedData
  readonly signer: SignerInfo
  readonly token: Uint8Array
  /** What was signed, where the CMS does not carry it. */
  readonly content: DocumentContent | undefined
}

/** Over the type and the hash of the content, the signer without unsigned attributes, and an index of hashes of the rest. */
function readV3({ signed, signer, token, content }: Archive): Archived {
  const index = readHashIndex(readSignedData(token))
  const imprint = imprintOf(token)
  const parts = indexedParts(index, archivedParts(signed, signer))
  const hash = hashOfContent(imprint.digestOid, signer, signed.content ?? content)
  if (hash === undefined) throw timeStampRefusal('contentMissing')
  const contentType = encoded(fieldsOf(signed.parts.encapContentInfo).any())
  return {
    imprint,
    imprinted: [[contentType, hash, ...signedFields(signer), index.der]],
    digestOids: [index.digestOid],
    covers: coveredBy(parts),
  }
}

/** The message digest that was signed is the hash of the content, as far as it is by the same algorithm. */
function hashOfContent(
  oid: string,
  { digestAlgorithm, signedAttributes }: SignerInfo,
  content: DocumentContent | undefined,
): Uint8Array | undefined {
  const signed = digestAlgorithm.oid === oid ? signedAttributes?.single(cmsOids.messageDigest) : undefined
  if (signed !== undefined) return contents(expectTag(signed, OCTET_STRING))
  return content && digestOf(content, oid)
}

/**
 * Over the content, certificates and revocation information as they are encoded, and the signer with the unsigned attributes that
 * it had then: all but archive time stamps that are no older. Annex K of TS 101 733 once left out the header of the attributes, so
 * that both are tried, as its later version advises.
 */
function readV2({ signed, signer, token, content }: Archive): Archived {
  const { encapContentInfo, certificates, crls } = signed.parts
  if (signed.content === undefined && !(content instanceof Uint8Array)) throw timeStampRefusal('contentMissing')
  const before = [
    encoded(encapContentInfo),
    ...(signed.content === undefined && content instanceof Uint8Array ? [content] : []),
    ...[certificates, crls].flatMap((field) => (field === undefined ? [] : [encoded(field)])),
    ...signedFields(signer),
  ]
  const own = genTimeOf(token)
  const isOlder = (attribute: Attribute) => attribute.values.every((value) => isBefore(genTimeOf(encoded(value)), own))
  const older = new Set(signer.unsignedAttributes?.all.filter((one) => !archiveForms.has(one.oid) || isOlder(one)))
  const attributes = [...older].map(({ element }) => encoded(element))
  const isCovered = ({ attribute }: ArchivedPart) => attribute === undefined || older.has(attribute)
  return {
    imprint: imprintOf(token),
    imprinted:
      attributes.length === 0
        ? [before]
        : [
            [...before, writeElement(UNSIGNED, ...attributes)],
            [...before, ...attributes],
          ],
    digestOids: [],
    covers: coveredBy(archivedParts(signed, signer).filter(isCovered)),
  }
}

const imprintOf = (token: Uint8Array): MessageImprint =>
  readTstInfo(readSignedData(token).content ?? new Uint8Array()).imprint

const isBefore = (time: number | undefined, other: number | undefined): boolean =>
  time !== undefined && other !== undefined && time < other

/** The fields of a SignerInfo that are there from the beginning, each as encoded. */
const signedFields = ({ element }: SignerInfo): Uint8Array[] =>
  children(element)
    .filter(({ tag }, index) => tag !== UNSIGNED || index < 4)
    .map(encoded)
