import { capacity, type Level } from '@signed-registry/core/qr'
import { zipSync } from 'fflate'

/** One signature in a set of QR codes. */
export interface CodedSignature {
  /** Absent where the card hides it. */
  readonly documentId?: string | undefined
  readonly signId: number
  readonly signType: 'cms' | 'xml'
  readonly signature: Uint8Array
}

/** Room for the digits of `total` and `index` beyond one each. */
const COUNTERS = 10
/** A fixed date in every archive, so that equal signatures give equal codes; ZIP dates start in 1980. */
const MOMENT = new Date(1980, 0, 1)

/** Splits a signature into texts for QR codes: parts of a base64 ZIP archive (docs/cards.md, "QR codes"). */
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
