import { type ByteSource, piecesOf } from '../byte-source.js'
import { RegistryError } from '../error.js'
import type { FileProblem } from '../signed-file.js'
import { objectAt } from './object-at.js'
import type { PdfDocument } from './pdf-document.js'
import { looksLikeSignature } from './signature-dictionaries.js'

const TOKEN = Buffer.from('/ByteRange')
const MAX_PLACES = 10_000

/**
 * Signature dictionaries in use that are in no field: some readers find them, and take them for signatures. Those of earlier
 * revisions that were replaced count for nothing.
 */
export function unnamedSignatures(
  source: ByteSource,
  document: PdfDocument,
  named: ReadonlySet<number>,
): FileProblem[] {
  const places = placesOf(source)
  if (places.length === 0) return []
  const objects = objectPlaces(document)
  const numbers = new Set<number>()
  for (const place of places) {
    const number = numberAt(objects, place)
    if (number !== undefined) numbers.add(number)
  }
  return [...numbers].flatMap((number) => {
    const entry = document.entries.get(number)
    if (entry?.in !== 'file' || named.has(number)) return []
    return isSignature(source, entry.at) ? [{ code: 'signatureBroken', reason: 'noField' } as const] : []
  })
}

/** Where the name stands in the octets of the file. */
function placesOf(source: ByteSource): number[] {
  const places: number[] = []
  let before = Buffer.alloc(0)
  let at = 0
  for (const piece of piecesOf(source)) {
    const octets = Buffer.concat([before, piece])
    for (let found = octets.indexOf(TOKEN); found !== -1; found = octets.indexOf(TOKEN, found + 1))
      if (places.length < MAX_PLACES) places.push(at - before.length + found)
    at += piece.length
    before = octets.subarray(Math.max(0, octets.length - TOKEN.length + 1))
  }
  return places
}

function objectPlaces({ entries }: PdfDocument): { readonly number: number; readonly at: number }[] {
  const places: { number: number; at: number }[] = []
  for (let number = 0; number < entries.size; number += 1) {
    const entry = entries.get(number)
    if (entry?.in === 'file') places.push({ number, at: entry.at })
  }
  return places.sort((one, other) => one.at - other.at)
}

/** The object that begins last before a place. */
function numberAt(
  objects: readonly { readonly number: number; readonly at: number }[],
  place: number,
): number | undefined {
  let [from, to] = [0, objects.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((objects[middle]?.at ?? 0) <= place) from = middle + 1
    else to = middle
  }
  return objects[from - 1]?.number
}

function isSignature(source: ByteSource, at: number): boolean {
  try {
    return looksLikeSignature(objectAt(source, at).value)
  } catch (error) {
    if (error instanceof RegistryError) return false
    throw error
  }
}
