import { type FilesVerdict, filesByUri, LARGEST_FOR_XML, type Trust, verifyFiles } from '@signed-registry/verifier'
import { type ByteSource, hashesOf } from '@signed-registry/verifier/evidence'
import type { EvidenceQuestion } from './question.js'
import { SHA256 } from './sha256.js'

/** A document, under a name of its own. */
export interface Beside {
  readonly name: string
  readonly source: ByteSource
}

/** A verdict, and what the documents hash to by the algorithms that the signatures use, and by SHA-256. */
export interface JudgedFiles {
  readonly verdict: FilesVerdict
  readonly digests: ReadonlyMap<string, ReadonlyMap<string, Uint8Array>>
}

/** The verdict of the verifier on a signature and the documents beside it. */
export function verdictOn(
  source: ByteSource,
  beside: readonly Beside[],
  { file, at }: Pick<EvidenceQuestion, 'file' | 'at' | 'key'>,
  trust: Trust,
): JudgedFiles {
  const signed = source.read(0, source.size)
  const signatures = [{ name: file.name, signed }]
  const options = { trust, at: at ?? Date.now() }
  const alone = verifyFiles({ signatures, documents: [] }, options)
  const used = alone.signatures.flatMap(({ signature }) => signature?.digests ?? []).map(({ oid }) => oid)
  const digests = new Map(beside.map((one) => [one.name, hashesOf(one.source, [SHA256, ...used])]))
  if (beside.length === 0) return { verdict: alone, digests }
  const wholes = isXml(signed) ? wholesOf(beside) : new Map<string, Uint8Array>()
  const documents = [...digests].map(([name, value]) => ({ name, document: wholes.get(name) ?? value }))
  return { verdict: verifyFiles({ signatures, documents }, { ...options, resolve: filesByUri(wholes) }), digests }
}

const isXml = (signed: Uint8Array): boolean => /^\ufeff?\s*</.test(new TextDecoder().decode(signed.subarray(0, 64)))

const wholesOf = (beside: readonly Beside[]): ReadonlyMap<string, Uint8Array> =>
  new Map(
    beside
      .filter(({ source: { size } }) => size <= LARGEST_FOR_XML)
      .map(({ name, source }) => [name, source.read(0, source.size)]),
  )
