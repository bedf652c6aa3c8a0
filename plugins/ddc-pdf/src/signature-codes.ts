import { capacity, type Level } from '@signed-registry/core/qr'
import { unzipSync, zipSync } from 'fflate'
import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'

/** One signature in a set of QR codes. */
export interface CodedSignature {
  readonly documentId: string
  readonly signId: number
  readonly signType: 'cms' | 'xml'
  readonly signature: Uint8Array
}

/** Digits that `total` and `index` may take beyond one each. */
const COUNTERS = 10
const MAX_CODES = 1000
const MAX_BYTES = 1024 * 1024
/** The same moment in every archive, so that the same signature gives the same codes; ZIP begins in 1980. */
const MOMENT = new Date(1980, 0, 1)

/** The texts of the codes that hold a signature: a ZIP archive in base64, in parts that fit (docs/cards.md, "QR codes"). */
export function splitSignature(signature: CodedSignature, version: number, level: Level): string[] {
  const { documentId, signId, signType } = signature
  const archive = zipSync({ [`${signId}.${signType}`]: [signature.signature, { level: 9, mtime: MOMENT }] })
  const text = Buffer.from(archive).toString('base64')
  const frame = (total: number, index: number, data: string) =>
    JSON.stringify({ documentId, signId, signType, total, index, data })
  const room = capacity(version, level) - frame(0, 0, '').length - COUNTERS
  const parts: string[] = []
  for (let at = 0; at < text.length; at += room) parts.push(text.slice(at, at + room))
  return parts.map((data, n) => frame(parts.length, n + 1, data))
}

/** The signature that a complete set of codes holds, read in any order. A `TypeError` says what is wrong with the set. */
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
  return { documentId, signId, signType, signature }
}

const Part = Type.Object({
  documentId: Type.String(),
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
