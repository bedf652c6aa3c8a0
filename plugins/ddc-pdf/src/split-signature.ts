import { capacity, type Level } from '@signed-registry/core/qr'
import { zipSync } from 'fflate'

/** One signature in a set of QR codes. */
export interface CodedSignature {
  /** None where a card does not show it. */
  readonly documentId?: string | undefined
  readonly signId: number
  readonly signType: 'cms' | 'xml'
  readonly signature: Uint8Array
}

/** Digits that `total` and `index` may take beyond one each. */
const COUNTERS = 10
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
