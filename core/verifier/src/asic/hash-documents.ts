import { digestAlgorithms } from '../algorithms/digest.js'
import type { ByteSource } from '../byte-source.js'
import type { DocumentInFile } from '../signed-file.js'
import { contentOf } from '../zip/content.js'
import { notRead } from '../zip/errors.js'
import type { ZippedFile } from '../zip/read-zip.js'

const SHA_256 = '2.16.840.1.101.3.4.2.1'
/** Octets of all documents that XML signatures are over another form of. */
const MAX_TRANSFORMED = 16 * 1024 * 1024

/** What documents have to be hashed with, and which are needed as they stand. */
export interface WantedOfDocuments {
  readonly oids: ReadonlySet<string>
  readonly transformed: ReadonlySet<string>
}

/** The documents of a container by their digests; each is read once, a piece at a time. */
export async function hashDocuments(
  source: ByteSource,
  files: readonly ZippedFile[],
  { oids, transformed }: WantedOfDocuments,
): Promise<readonly DocumentInFile[]> {
  const algorithms = digestAlgorithms.filter(({ oid }) => oid === SHA_256 || oids.has(oid))
  const documents: DocumentInFile[] = []
  let left = MAX_TRANSFORMED
  for (const file of files) {
    const { name, size } = file
    if (transformed.has(name)) left -= size
    if (left < 0) throw notRead('tooLarge', name)
    const hashers = algorithms.map(({ oid, create }) => [oid, create()] as const)
    const pieces: Uint8Array[] = []
    for await (const piece of contentOf(source, file)) {
      for (const [, hasher] of hashers) hasher.update(piece)
      if (transformed.has(name)) pieces.push(piece)
    }
    const digests = new Map(hashers.map(([oid, hasher]) => [oid, hasher.digest()]))
    documents.push({ name, size, digests, ...(transformed.has(name) && { bytes: Buffer.concat(pieces) }) })
  }
  return documents
}
