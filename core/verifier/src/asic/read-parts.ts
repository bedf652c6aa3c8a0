import { digest } from '../algorithms/digest.js'
import type { ByteSource } from '../byte-source.js'
import { digestsOfCms, digestsOfToken } from '../cms/digests-of-cms.js'
import type { DocumentInFile, FileProblem, NamedByUri, SignatureInFile, TimeStampInFile } from '../signed-file.js'
import { filesByUri } from '../xml/files-by-uri.js'
import { octetsOf } from '../zip/content.js'
import type { ContainerFiles, ContainerPart } from './container-files.js'
import type { WantedOfDocuments } from './hash-documents.js'
import { type AsicManifest, readManifest } from './manifest.js'
import { type XadesSignature, xadesSignatures } from './xades-signatures.js'

/** Octets of a file in `META-INF`, and of all of them. */
const MAX_PART = 4 * 1024 * 1024
const MAX_PARTS = 32 * 1024 * 1024

/** Signatures, time stamps and what is wrong. */
export interface SignedParts {
  readonly signatures: readonly SignatureInFile[]
  readonly timeStamps: readonly TimeStampInFile[]
  readonly problems: readonly FileProblem[]
}

/** What is in `META-INF`, before the documents were hashed. */
export interface ReadParts extends WantedOfDocuments {
  readonly isEmpty: boolean
  /** What signs which of the documents. */
  over(documents: readonly DocumentInFile[]): SignedParts
}

interface Part {
  readonly name: string
  readonly part: ContainerPart
  readonly bytes: Buffer
}

/** Reads the signatures, time stamps and manifests of a container. */
export async function readParts(source: ByteSource, { parts, data }: ContainerFiles): Promise<ReadParts> {
  const read: Part[] = []
  let left = MAX_PARTS
  for (const { file, part } of parts) {
    const bytes = await octetsOf(source, file, Math.min(MAX_PART, left))
    left -= bytes.length
    read.push({ name: file.name, part, bytes })
  }
  const manifests = read.flatMap((one) =>
    one.part === 'manifest' ? [{ ...one, manifest: readManifest(one.bytes) }] : [],
  )
  const xades = read.flatMap((one) =>
    one.part === 'xades' ? [{ ...one, signatures: xadesSignatures(one.bytes) }] : [],
  )
  const references = xades.flatMap(({ signatures = [] }) => signatures.flatMap((one) => one.references))
  const find = filesByUri(new Map(data.map(({ name }) => [name, name])))
  return {
    isEmpty: read.every(({ part }) => part === 'list' || part === 'other'),
    oids: new Set([
      ...manifests.flatMap(({ manifest }) => manifest?.entries.flatMap(({ oid }) => oid ?? []) ?? []),
      ...references.flatMap(({ oid }) => oid ?? []),
      ...read.flatMap(({ part, bytes }) => (part === 'cades' ? [...digestsOfCms(bytes)] : [])),
      ...read.flatMap(({ part, bytes }) => (part === 'timeStamp' ? [...digestsOfToken(bytes)] : [])),
    ]),
    transformed: new Set(references.flatMap(({ uri, isTransformed }) => (isTransformed ? (find(uri) ?? []) : []))),
    over: (documents) => signedParts(read, { manifests, xades, documents }),
  }
}

interface Found {
  readonly manifests: readonly (Part & { readonly manifest: AsicManifest | undefined })[]
  readonly xades: readonly (Part & { readonly signatures: readonly XadesSignature[] | undefined })[]
  readonly documents: readonly DocumentInFile[]
}

function signedParts(all: readonly Part[], { manifests, xades, documents }: Found): SignedParts {
  const made = {
    signatures: [] as SignatureInFile[],
    timeStamps: [] as TimeStampInFile[],
    problems: [] as FileProblem[],
  }
  const part = filesByUri(new Map(all.map((one) => [one.name, one])))
  const document = filesByUri(new Map(documents.map((one) => [one.name, one])))
  const used = new Set<Part>()
  for (const { name, bytes, manifest } of manifests) {
    const signature = manifest && part(manifest.signature)
    if (manifest === undefined) made.problems.push({ code: 'formWrong', name, reason: 'manifest' })
    else if (signature === undefined) made.problems.push({ code: 'fileMissing', name: manifest.signature })
    else if (signature.part === 'cades' || signature.part === 'timeStamp') {
      if (used.has(signature))
        made.problems.push({ code: 'formWrong', name: signature.name, reason: 'severalManifests' })
      used.add(signature)
      add(signature, { of: 'manifest', name, manifest: bytes, documents: named(manifest) })
    }
  }
  for (const one of all) {
    const [only, more] = documents
    if ((one.part !== 'cades' && one.part !== 'timeStamp') || used.has(one)) continue
    if (manifests.length === 0 && only !== undefined && more === undefined)
      add(one, { of: 'document', document: only.name })
    else made.problems.push({ code: 'formWrong', name: one.name, reason: 'manifestMissing' })
  }
  for (const { name, signatures } of xades) {
    if (signatures === undefined) made.problems.push({ code: 'signatureBroken', name, reason: 'xml' })
    for (const one of signatures ?? []) addXades(name, one)
  }
  for (const { name, part: kind } of all)
    if (kind === 'evidenceRecord' || kind === 'jades') made.problems.push({ code: 'unsupported', name, reason: kind })
  return made

  function add({ name, part: kind, bytes }: Part, over: TimeStampInFile['over']): void {
    if (kind === 'timeStamp') made.timeStamps.push({ name, token: bytes, over })
    else made.signatures.push({ name, signType: 'cms', signed: bytes, over })
  }

  /** The documents that a manifest names rightly. */
  function named({ entries }: AsicManifest): NamedByUri[] {
    return entries.flatMap(({ uri, oid, digest: due }) => {
      const found = document(uri)
      const other = found === undefined ? part(uri) : undefined
      if (found === undefined && other === undefined) {
        made.problems.push({ code: 'fileMissing', name: uri })
        return []
      }
      const value = oid === undefined ? undefined : (found?.digests.get(oid) ?? (other && digest(oid, other.bytes)))
      if (value === undefined || Buffer.compare(value, due) !== 0) {
        const reason = oid === undefined ? { reason: 'digestAlgorithm' } : {}
        made.problems.push({ code: 'fileChanged', name: uri, ...reason })
        return []
      }
      return found === undefined ? [] : [{ document: found.name, uri, ...(oid !== undefined && { oid }) }]
    })
  }

  function addXades(name: string, { text, references }: XadesSignature): void {
    const own = references.flatMap(({ uri, oid, isTransformed }): NamedByUri[] => {
      const found = document(uri)
      if (found === undefined) made.problems.push({ code: 'fileMissing', name: uri })
      const named = oid === undefined || isTransformed ? {} : { oid }
      return found === undefined ? [] : [{ document: found.name, uri, ...named }]
    })
    made.signatures.push({
      name,
      signType: 'xml',
      signed: Buffer.from(text),
      over: { of: 'references', documents: own },
    })
  }
}
