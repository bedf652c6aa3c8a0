import { createHash } from 'node:crypto'
import { crc32, inflateRawSync } from 'node:zlib'
import {
  BLOCK,
  blockHeader,
  directoryOf,
  evidenceNoteText,
  localRecord,
  recordBehind,
} from '@signed-registry/verifier/evidence'

/** A file of a container. */
export interface FileInside {
  readonly name: string
  readonly content: Buffer
  readonly streamed: boolean
}

/** The files of a container, by its directory alone. */
export function unzipped(container: Uint8Array): FileInside[] {
  const bytes = Buffer.from(container)
  const end = bytes.length - 22
  const files: FileInside[] = []
  let at = bytes.readUInt32LE(end + 16)
  for (let index = 0; index < bytes.readUInt16LE(end + 10); index += 1) {
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28)
    const local = bytes.readUInt32LE(at + 42)
    const begin = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const packed = bytes.subarray(begin, begin + bytes.readUInt32LE(at + 20))
    const streamed = bytes.readUInt16LE(at + 10) !== 0
    files.push({
      name: bytes.subarray(at + 46, nameEnd).toString(),
      content: streamed ? inflateRawSync(packed) : Buffer.from(packed),
      streamed,
    })
    at = nameEnd + bytes.readUInt16LE(at + 30)
  }
  return files
}

/** A container with these files, in the form that is read again. */
export function zipped(files: readonly FileInside[]): Buffer {
  const entries = files.map(({ name, content, streamed }) => ({
    ...{ name, streamed },
    size: content.length,
    crc: crc32(content),
  }))
  const records = files.flatMap(({ content, streamed }, index) => {
    const entry = entries[index] ?? { name: '', size: 0, crc: 0, streamed: false }
    return [localRecord(entry), ...(streamed ? blocksOf(content) : [content]), recordBehind(entry)]
  })
  return Buffer.concat([...records, directoryOf(entries)])
}

export function blocksOf(content: Buffer): Uint8Array[] {
  const blocks: Uint8Array[] = []
  for (let at = 0; at === 0 || at < content.length; at += BLOCK) {
    const block = content.subarray(at, at + BLOCK)
    blocks.push(blockHeader(block.length, at + BLOCK >= content.length), block)
  }
  return blocks
}

/** Places of files in a bundle, those in its containers too, as `document.asics!/name`. */
export function placesIn(files: readonly FileInside[]): string[] {
  return files.flatMap(({ name, content }) =>
    name.endsWith('.asics') ? unzipped(content).map((inner) => `${name}!/${inner.name}`) : [name],
  )
}

/** The content at a place. */
export function contentAt(files: readonly FileInside[], place: string): Buffer {
  const [name = '', inner] = place.split('!/')
  const content = files.find((file) => file.name === name)?.content ?? Buffer.alloc(0)
  return inner === undefined ? content : contentAt(unzipped(content), inner)
}

/** The same files with another content at a place. */
export function withContent(files: readonly FileInside[], place: string, content: Buffer): FileInside[] {
  const [name, inner] = place.split('!/')
  return files.map((file) => {
    if (file.name !== name) return file
    return {
      ...file,
      content: inner === undefined ? content : zipped(withContent(unzipped(file.content), inner, content)),
    }
  })
}

/** Who signs a mended `evidence.json`: nobody again, or another registry. */
export interface OtherRegistry {
  readonly statementKey: string
  readonly sign: (text: string) => string
}

/** The same files with an `evidence.json` that names them as they are, and signed by another registry where there is one. */
export const mended = (files: readonly FileInside[], by?: OtherRegistry): FileInside[] => saying(files, hashAgain, by)

/** What `evidence.json` says, as JSON. */
export interface Said {
  [name: string]: unknown
  registry: { origin: string; statementKey: string }
  documents: { [name: string]: unknown; signatures: Record<string, unknown>[] }[]
  files: { name: string; files?: { name: string }[] }[]
}

/** The same files with another `evidence.json`, signed where there is a registry to sign it. */
export function saying(
  files: readonly FileInside[],
  change: (said: Said, files: readonly FileInside[]) => void,
  by?: OtherRegistry,
): FileInside[] {
  const said: Said = JSON.parse(contentAt(files, 'evidence.json').toString())
  change(said, files)
  if (by !== undefined) said.registry.statementKey = by.statementKey
  return stating(files, `${JSON.stringify(said, undefined, 2)}\n`, by)
}

/** The same files with another text of `evidence.json`. */
export function stating(files: readonly FileInside[], text: string, by?: OtherRegistry): FileInside[] {
  const statement = Buffer.from(text)
  const changed = withContent(files, 'evidence.json', statement)
  if (by === undefined) return changed
  return withContent(
    changed,
    'evidence.json.sig',
    Buffer.from(by.sign(evidenceNoteText('https://registry.example', statement))),
  )
}

function hashAgain(said: Said, files: readonly FileInside[]): void {
  const hash = (content: Buffer) => ({
    size: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  })
  for (const stated of said.files) {
    if (stated.files === undefined) Object.assign(stated, hash(contentAt(files, stated.name)))
    else for (const inner of stated.files) Object.assign(inner, hash(contentAt(files, `${stated.name}!/${inner.name}`)))
  }
}
