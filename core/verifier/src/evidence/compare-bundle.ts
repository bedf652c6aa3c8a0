import { joinCms } from '../cms/join-cms.js'
import { readSignedData } from '../cms/signed-data.js'
import { RegistryError } from '../error.js'
import type { ReadSignature, SignedDigest } from '../signature.js'
import { namesOther } from './covered.js'
import { evidenceOfOthers, type SignatureRead } from './evidence-of-others.js'
import type { OpenDocument } from './open-evidence.js'
import type { EvidenceProblem } from './problem.js'
import type { SignatureStatement } from './statement.js'

/** Hashes as `evidence.json` has them, by the OID of the algorithm. */
export const statedDigests = (digests: Readonly<Record<string, string>>): ReadonlyMap<string, Uint8Array> =>
  new Map(Object.entries(digests).map(([oid, hex]) => [oid, Buffer.from(hex, 'hex')]))

/** OIDs of the digests that `evidence.json` has of a document, and of those that its CMS signatures name. */
export const namedAlgorithms = ({ statement, signatures }: OpenDocument): string[] => [
  ...Object.keys(statement.digests),
  ...signatures.filter((one) => one.statement.signType === 'cms').flatMap(({ signed }) => digestsNamedIn(signed)),
]

function digestsNamedIn(cms: Uint8Array): string[] {
  try {
    return readSignedData(cms).signerInfos.map(({ digestAlgorithm }) => digestAlgorithm.oid)
  } catch (error) {
    if (error instanceof RegistryError) return []
    throw error
  }
}

/** Whether hashes are of one file: of algorithms that both have, which is one at least. */
export function isOneFile(one: ReadonlyMap<string, Uint8Array>, other: ReadonlyMap<string, Uint8Array>): boolean {
  const common = [...one].flatMap(([oid, value]) => {
    const due = other.get(oid)
    return due === undefined ? [] : [Buffer.compare(due, value) === 0]
  })
  return common.length > 0 && common.every((isEqual) => isEqual)
}

/** Whether an original has other hashes, or another size, than the registry fixed. */
export function originalThatDiffers(
  { original, statement }: OpenDocument,
  own: ReadonlyMap<string, Uint8Array>,
): EvidenceProblem[] {
  if (original === undefined) return []
  const isDue = isOneFile(own, statedDigests(statement.digests)) && original.content.size === statement.size
  return isDue ? [] : [{ code: 'originalDiffers', file: original.name }]
}

/** What of a bundle is not as its signatures themselves have it, although every file is as `evidence.json` says. */
export function copiesThatDiffer(
  { joined, signatures }: OpenDocument,
  readOf: (file: string) => SignatureRead | undefined,
): EvidenceProblem[] {
  const others = signatures.flatMap((one): EvidenceProblem[] => {
    const read = readOf(one.statement.signature)
    if (read === undefined) return []
    const { signature, signType } = one.statement
    const files = read.signType === signType ? evidenceOfOthers(one, read) : [signature]
    return files.map((file) => ({ code: 'fileChanged', file }))
  })
  const cms = signatures.filter(({ statement }) => isJoined(statement)).map(({ signed }) => signed)
  const isSame = joined === undefined || isSameJoined(joined.octets, cms)
  return isSame ? others : [...others, { code: 'signaturesDiffer', file: joined.file }]
}

/** Whether a signature stands in the one CMS beside the original: it is over all of it. */
export const isJoined = ({ signType, coverage }: Pick<SignatureStatement, 'signType' | 'coverage'>): boolean =>
  signType === 'cms' && coverage === undefined

/** Signatures that are not on the document that `evidence.json` has them for, as far as hashes tell while nobody shows it. */
export const signaturesOfOther = (
  { statement: { digests }, signatures }: OpenDocument,
  readOf: (file: string) => Pick<ReadSignature, 'signType' | 'digests'> | undefined,
): EvidenceProblem[] =>
  signatures.flatMap(({ statement: { signature: file, signType, coverage }, signed: octets }): EvidenceProblem[] => {
    const read = readOf(file)
    if (coverage?.of === 'references' && signType === 'cms')
      return namesOther(octets, coverage.uris[0] ?? '', digests) ? [{ code: 'otherDocument', file }] : []
    // XML may be over a canonical form, whose hash is another; ranges have hashes of their own.
    const signed = coverage === undefined && read?.signType === 'cms' ? read.digests : []
    const differs = ({ oid, value }: SignedDigest) =>
      Object.hasOwn(digests, oid) && digests[oid] !== Buffer.from(value).toString('hex')
    return signed.some(differs) ? [{ code: 'otherDocument', file }] : []
  })

function isSameJoined(octets: Uint8Array, cms: readonly Uint8Array[]): boolean {
  try {
    return Buffer.compare(joinCms(undefined, cms), octets) === 0
  } catch (error) {
    if (error instanceof RegistryError) return false
    throw error
  }
}
