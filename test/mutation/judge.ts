import type { Random } from '../fuzz/random.js'
import type { Mutant } from '../support/der-mutants.js'
import { judged, type Vector } from './corpora.js'

export interface Tally {
  refused: number
  same: number
  /** Mutants that were accepted and mean something else. */
  readonly other: string[]
  readonly crashes: string[]
}

export const newTally = (): Tally => ({ refused: 0, same: 0, other: [], crashes: [] })

/** Judges mutants of a vector: all, or so many that are picked at random. */
export function judgeVector(vector: Vector, tally: Tally, sample?: { random: Random; most: number }): void {
  const right = vector.meaning(vector.original)
  const all = sample === undefined ? vector.mutants() : sampled([...vector.mutants()], sample)
  for (const { name, der } of all) {
    try {
      const found = judged(() => vector.meaning(der))
      if (found === undefined) tally.refused += 1
      else if (found === right) tally.same += 1
      else tally.other.push(`${vector.name}: ${name}`)
    } catch (error) {
      tally.crashes.push(`${vector.name}: ${name}: ${String(error)}`)
    }
  }
}

function sampled(mutants: readonly Mutant[], { random, most }: { random: Random; most: number }): Mutant[] {
  if (mutants.length <= most) return [...mutants]
  return Array.from({ length: most }, () => random.pick(mutants))
}
