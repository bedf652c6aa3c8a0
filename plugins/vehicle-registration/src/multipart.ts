import { randomBytes } from 'node:crypto'
import type { StreamedBody } from '@signed-registry/core'

/** One part of a form. Names, types and file names are ours: nothing that callers wrote stands in them. */
export interface FormPart {
  readonly name: string
  readonly type: string
  readonly fileName?: string
  readonly content: Uint8Array | StreamedBody
}

/** A `multipart/form-data` body (RFC 7578) that is not held in memory. */
export function multipart(parts: readonly FormPart[]): { readonly contentType: string; readonly body: StreamedBody } {
  // 144 random bits: no content has the boundary in it.
  const boundary = randomBytes(18).toString('hex')
  const heads = parts.map(({ name, type, fileName }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`
    return Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file}\r\ncontent-type: ${type}\r\n\r\n`,
    )
  })
  const newLine = Buffer.from('\r\n')
  const end = Buffer.from(`--${boundary}--\r\n`)
  const sizes = parts.map(({ content }, n) => (heads[n]?.length ?? 0) + sizeOf(content) + newLine.length)
  async function* bytes() {
    for (const [n, { content }] of parts.entries()) {
      yield heads[n] ?? newLine
      if ('size' in content) yield* content.bytes
      else yield content
      yield newLine
    }
    yield end
  }
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: { size: sizes.reduce((sum, size) => sum + size, end.length), bytes: bytes() },
  }
}

const sizeOf = (content: FormPart['content']): number => ('size' in content ? content.size : content.length)
