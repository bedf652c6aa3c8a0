import { unzipSync } from 'fflate'
import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { CodedSignature } from './split-signature.js'

const MAX_CODES = 1000
const MAX_BYTES = 1024 * 1024

/** Reassembles a signature from a complete set of QR codes, in any order. Throws a `TypeError` for an invalid set. */
export function joinSignature(codes: readonly string[]): CodedSignature {
  if (codes.length === 0 || codes.length > MAX_CODES) throw new TypeError('There are no codes, or too many')
  const parts = codes.map(readPart)
  const [first] = parts
  if (first === undefined) throw new TypeError('There are no codes')
  const { documentId, signId, signType, total } = first
  const texts = new Map<number, string>()
  for (const part of parts) {
    const isSame =
      part.documentId === documentId && part.signId === signId && part.signType === signType && part.total === total
    if (!isSame) throw new TypeError('The codes are of different signatures')
    if (texts.has(part.index) && texts.get(part.index) !== part.data)
      throw new TypeError(`Two codes are number ${part.index}`)
    texts.set(part.index, part.data)
  }
  const all = Array.from({ length: total }, (_, n) => texts.get(n + 1))
  const missing = all.indexOf(undefined)
  if (missing >= 0) throw new TypeError(`Code ${missing + 1} of ${total} is missing`)
  const name = `${signId}.${signType}`
  const archive = unzipSync(Buffer.from(all.join(''), 'base64'), {
    filter: (file) => file.name === name && file.originalSize <= MAX_BYTES,
  })
  const signature = archive[name]
  if (signature === undefined) throw new TypeError(`The codes hold no ${name}`)
  return { ...(documentId !== undefined && { documentId }), signId, signType, signature }
}

const Part = Type.Object({
  documentId: Type.Optional(Type.String()),
  signId: Type.Integer(),
  signType: Type.Enum(['cms', 'xml']),
  total: Type.Integer({ minimum: 1, maximum: MAX_CODES }),
  index: Type.Integer({ minimum: 1, maximum: MAX_CODES }),
  data: Type.String(),
})

function readPart(code: string): Static<typeof Part> {
  const read: unknown = JSON.parse(code)
  if (!Value.Check(Part, read) || read.index > read.total) throw new TypeError('This is no code of a signature')
  return read
}
