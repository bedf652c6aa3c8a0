import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import {
  filesByUri,
  type GivenFiles,
  type GivenSignature,
  LARGEST_FOR_XML,
  type NamedDocument,
  type Trust,
  type Verdict,
  type VerifyOptions,
  verify,
} from '../index.js'
import { digestsOf, type GivenFile, signedBytes } from './given-file.js'

/** A file as reports name it. */
export interface Input {
  readonly name: string
  readonly size: number
  readonly digests: ReadonlyMap<string, Uint8Array>
}

/** Files of a command line, told apart by what is in them. */
export interface SortedFiles extends GivenFiles {
  /** Every file, in the order it was named. */
  readonly inputs: readonly Input[]
  /** The documents that XML signatures name by URI, by their names without folders. */
  readonly resolve: NonNullable<VerifyOptions['resolve']>
}

interface Signed {
  readonly file: GivenFile
  readonly signed: Buffer
  readonly verdict: Verdict
}

/**
 * Finds out which files are signatures and which are documents. A signed file may itself be the document of another
 * signature. Documents are read as streams, and only their digests are kept.
 */
export async function sortFiles(given: readonly GivenFile[], trust: Trust): Promise<SortedFiles> {
  const signed: Signed[] = []
  for (const file of given) {
    if (file.looks !== 'signed') continue
    const bytes = await signedBytes(file)
    // Of no use but to read what is in it: what the documents must be hashed with, and whether it is a signature at all.
    const verdict = verify(bytes, { trust, documents: [{ name: '', document: new Map() }] })
    if (!verdict.signatures.every(({ refusal }) => refusal?.details?.reason === 'signatureMissing'))
      signed.push({ file, signed: bytes, verdict })
  }
  const digests = signed.map(({ verdict }) => verdict.signatures.flatMap(({ signature }) => signature?.digests ?? []))
  const oids = new Set(digests.flat().map(({ oid }) => oid))
  const inputs: Input[] = []
  const documents: { name: string; size: number; digests: Map<string, Buffer> }[] = []
  for (const { name, size } of given) {
    const own = digestsOf(name, oids)
    inputs.push({ name, size, digests: own })
    const place = signed.findIndex(({ file }) => file.name === name)
    const others = digests.filter((_, index) => index !== place).flat()
    const isOfOther = others.some(({ oid, value }) => own.get(oid)?.equals(value) === true)
    const isCopy = documents.some((one) => isSame(one.digests, own))
    if ((place === -1 || isOfOther) && !isCopy) documents.push({ name, size, digests: own })
  }
  const signatures = signed.map(({ file: { name }, signed: bytes }): GivenSignature => ({ name, signed: bytes }))
  const named = await Promise.all(documents.map((one) => namedDocument(one, signed.some(isXml))))
  const files = new Map(
    named.flatMap(({ name: path, document }) =>
      document instanceof Uint8Array ? [[basename(path), document] as const] : [],
    ),
  )
  return { signatures, documents: named, inputs, resolve: filesByUri(files) }
}

const isSame = (one: ReadonlyMap<string, Buffer>, other: ReadonlyMap<string, Buffer>): boolean =>
  [...one].every(([oid, value]) => other.get(oid)?.equals(value) === true)

const isXml = ({ signed }: Signed): boolean => /^\s*</.test(signed.toString('utf8', 0, 64).replace(/^\ufeff/, ''))

async function namedDocument(
  { name, size, digests }: { name: string; size: number; digests: Map<string, Buffer> },
  bytesAreWanted: boolean,
): Promise<NamedDocument> {
  return { name, document: bytesAreWanted && size <= LARGEST_FOR_XML ? await readFile(name) : digests }
}
