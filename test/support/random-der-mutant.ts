import { contents, type DerElement, encoded, readElement } from '#verifier/der/reader.js'
import { der } from './der.js'

/** Numbers from 0 to 1, such as `Math.random`; a seeded one gives the same mutants again. */
export type Random = () => number

/** A random number generator (mulberry32) of a seed. */
export function seeded(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Place {
  readonly element: DerElement
  /** The elements around it, outermost first. */
  readonly around: readonly DerElement[]
}

const MAX_SIZE = 20_000

/**
 * One to three changes of a DER structure that leave every length right: an element dropped, doubled, emptied, changed in one
 * octet, or replaced by an element of another sample. Octets that are no DER come back as they are.
 */
export function randomDerMutant(bytes: Uint8Array, samples: readonly Uint8Array[], random: Random): Uint8Array {
  let mutant = bytes
  for (let changes = 1 + Math.floor(random() * 3); changes > 0 && mutant.length < MAX_SIZE; changes -= 1) {
    const place = pick(placesIn(mutant), random)
    if (place === undefined) return mutant
    mutant = substitute(mutant, place, change(place.element, samples, random))
  }
  return mutant
}

function change(element: DerElement, samples: readonly Uint8Array[], random: Random): Uint8Array {
  const own = encoded(element)
  switch (Math.floor(random() * 5)) {
    case 0:
      return new Uint8Array()
    case 1:
      return Buffer.concat([own, own])
    case 2:
      return der(element.tag)
    case 3: {
      const changed = Uint8Array.from(own)
      changed[Math.floor(random() * own.length)] = Math.floor(random() * 256)
      return changed
    }
    default: {
      const other = pick(placesIn(pick(samples, random) ?? own), random)
      return other === undefined ? own : encoded(other.element)
    }
  }
}

function substitute(bytes: Uint8Array, { element, around }: Place, by: Uint8Array): Uint8Array {
  let { start, end } = element
  let written = by
  for (const outer of [...around].reverse()) {
    written = der(outer.tag, bytes.subarray(outer.content, start), written, bytes.subarray(end, outer.end))
    start = outer.start
    end = outer.end
  }
  return written
}

function placesIn(bytes: Uint8Array): Place[] {
  const places: Place[] = []
  const visit = (from: number, to: number, around: readonly DerElement[]) => {
    for (let offset = from; offset < to; ) {
      const element = readElement(bytes, offset, to)
      places.push({ element, around })
      offset = element.end
      // Extensions and the like are DER inside an OCTET STRING.
      const isWrapper = element.tag === 0x04 && contents(element)[0] === 0x30
      if ((element.tag & 0x20) !== 0 || isWrapper)
        attempt(() => visit(element.content, element.end, [...around, element]))
    }
  }
  attempt(() => visit(0, bytes.length, []))
  return places
}

/** What is no DER after all is left alone. */
function attempt(visit: () => void): void {
  try {
    visit()
  } catch {
    return
  }
}

const pick = <T>(from: readonly T[], random: Random): T | undefined => from[Math.floor(random() * from.length)]
