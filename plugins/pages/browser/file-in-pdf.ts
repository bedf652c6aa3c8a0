import { toBase64 } from './bytes.js'
import { hashOf } from './hash.js'

/** What is looked for among the files in a PDF. */
interface Wanted {
  /** Base64. */
  readonly sha256: string
  readonly size: number
}

const EMBEDDED = /\/EmbeddedFile\b/g
/** The dictionary before the bytes of a stream, and how much of it is searched. */
const DICTIONARY = /^[\s\S]*?>>\s*stream\r?\n/
const LONGEST_HEAD = 4096
const LENGTH = /\/Length\s+(\d+)\b(?!\s+\d+\s+R)/
const FILTER = /\/Filter\s*\[?\s*\/(\w+)/

/** The file in a PDF with this hash, which is the one that was verified; `undefined` when it cannot be extracted here. */
export async function fileInPdf(pdf: Blob, { sha256, size }: Wanted): Promise<Blob | undefined> {
  // One character per byte, so that offsets are the same.
  const text = new TextDecoder('latin1').decode(await pdf.arrayBuffer())
  for (const { index } of text.matchAll(EMBEDDED)) {
    const head = text.slice(text.lastIndexOf(' obj', index), index + LONGEST_HEAD)
    const [dictionary] = DICTIONARY.exec(head) ?? ['']
    const begin = text.lastIndexOf(' obj', index) + dictionary.length
    const stored = pdf.slice(begin, begin + Number(LENGTH.exec(dictionary)?.[1] ?? 0))
    const found = await unpacked(stored, FILTER.exec(dictionary)?.[1], size)
    if (found?.size === size && toBase64(await hashOf(found)) === sha256) return found
  }
  return undefined
}

/** Reads at most one byte more than the limit. */
async function unpacked(stored: Blob, filter: string | undefined, most: number): Promise<Blob | undefined> {
  if (filter === undefined) return stored
  if (filter !== 'FlateDecode') return undefined
  const reader = stored.stream().pipeThrough(new DecompressionStream('deflate')).getReader()
  const pieces: Uint8Array<ArrayBuffer>[] = []
  try {
    for (let total = 0; total <= most; ) {
      const { done, value } = await reader.read()
      if (done) return new Blob(pieces)
      pieces.push(value)
      total += value.length
    }
  } catch {
    // A stream that cannot be decompressed is not the wanted one.
  }
  await reader.cancel().catch(() => undefined)
  return undefined
}
