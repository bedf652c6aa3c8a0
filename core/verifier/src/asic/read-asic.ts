import type { ByteSource } from '../byte-source.js'
import type { FileFormat, FileProblem, SignedFile } from '../signed-file.js'
import { signedFileErrors } from '../signed-file-errors.js'
import { contentOf, octetsOf } from '../zip/content.js'
import { readZip } from '../zip/read-zip.js'
import { type ContainerFiles, containerFiles } from './container-files.js'
import { hashDocuments } from './hash-documents.js'
import { listedFiles } from './manifest.js'
import { readParts } from './read-parts.js'

/** Media types of containers (EN 319 162-1, 4.3.2 and 4.4.2), and of BDOC, which is the same. */
const MEDIA_TYPES: Readonly<Record<string, FileFormat>> = {
  'application/vnd.etsi.asic-s+zip': 'asic-s',
  'application/vnd.etsi.asic-e+zip': 'asic-e',
}
const LONGEST_MEDIA_TYPE = 256
const MAX_META = 4 * 1024 * 1024

/**
 * Reads a container of signed files (EN 319 162-1): its files by their digests, and what signs which of them. Throws `fileNotRead`
 * for a ZIP that is none, or that readers may read in several ways.
 */
export async function readAsic(source: ByteSource): Promise<SignedFile> {
  const files = containerFiles(readZip(source))
  const { format, problems } = await formatOf(source, files)
  const parts = await readParts(source, files)
  if (parts.isEmpty && format === undefined) throw signedFileErrors.error('fileNotRead', { reason: 'notSigned' })
  const documents = await hashDocuments(source, files.data, parts)
  const { signatures, timeStamps, problems: wrong } = parts.over(documents)
  const covered = new Set(
    signatures.flatMap(({ over }) => {
      if (over.of === 'document') return [over.document]
      return over.of === 'manifest' || over.of === 'references' ? over.documents.map(({ document }) => document) : []
    }),
  )
  return {
    format: format ?? (files.data.length === 1 ? 'asic-s' : 'asic-e'),
    documents,
    signatures,
    timeStamps,
    revisions: [],
    problems: [
      ...problems,
      ...(await listProblems(source, files)),
      ...wrong,
      ...(format === 'asic-s' && files.data.length !== 1
        ? [{ code: 'formWrong', reason: 'severalFiles' } as const]
        : []),
      ...files.data.flatMap(({ name }): FileProblem[] => (covered.has(name) ? [] : [{ code: 'notCovered', name }])),
    ],
    beside: { certificates: [], responses: [], crls: [] },
  }
}

/** The octets of a document of a container; throws `fileNotRead` where there is none of that name. */
export async function* documentIn(source: ByteSource, name: string): AsyncGenerator<Uint8Array> {
  const file = containerFiles(readZip(source)).data.find((one) => one.name === name)
  if (file === undefined) throw signedFileErrors.error('fileNotRead', { reason: 'fileMissing', file: name })
  yield* contentOf(source, file)
}

async function formatOf(
  source: ByteSource,
  { mediaType, isMediaTypeFirst }: ContainerFiles,
): Promise<{ readonly format: FileFormat | undefined; readonly problems: readonly FileProblem[] }> {
  const text = mediaType && (await octetsOf(source, mediaType, LONGEST_MEDIA_TYPE)).toString('latin1').trim()
  const format = text === undefined ? undefined : MEDIA_TYPES[text]
  if (format === undefined) return { format, problems: [{ code: 'formWrong', reason: 'mediaType' }] }
  return { format, problems: isMediaTypeFirst ? [] : [{ code: 'formWrong', reason: 'mediaTypePlace' }] }
}

/** A list of the files that nobody signed must at least name those that are there. */
async function listProblems(source: ByteSource, { parts, data }: ContainerFiles): Promise<FileProblem[]> {
  const problems: FileProblem[] = []
  for (const { file, part } of parts) {
    if (part !== 'list') continue
    const listed = listedFiles(await octetsOf(source, file, MAX_META))
    const names = new Set(data.map(({ name }) => name))
    const isSame = listed?.length === names.size && listed.every((name) => names.has(name))
    if (!isSame) problems.push({ code: 'formWrong', name: file.name, reason: 'list' })
  }
  return problems
}
