import { loadavg } from 'node:os'
import { median } from './interleave.js'

/** One figure of a benchmark: a ratio, measured in several rounds, and what it should be. */
export interface Row {
  readonly what: string
  /** What it is measured against. */
  readonly floor: string
  /** One ratio for each round. */
  readonly ratios: readonly number[]
  readonly aim?: `${'>=' | '<='} ${number}`
  /** Figures of which the ratio is made, for whoever wants to know. */
  readonly figures?: string
}

/** Prints a row: the median and the spread of its rounds, its floor, its aim, and how busy the machine was. */
export function printRow({ what, floor, ratios, aim, figures }: Row): void {
  const middle = median(ratios)
  const spread = `${shown(Math.min(...ratios))} to ${shown(Math.max(...ratios))} in ${ratios.length}`
  const verdict = aim === undefined ? '' : `; aim ${aim}: ${isMet(middle, aim) ? 'met' : 'MISSED'}`
  const load = loadavg()[0]?.toFixed(1)
  console.log(`  ${what}: ${shown(middle)} of ${floor} (${spread})${verdict}; load ${load}`)
  if (figures !== undefined) console.log(`    ${figures}`)
}

function isMet(value: number, aim: string): boolean {
  const [comparison, limit] = aim.split(' ')
  return comparison === '>=' ? value >= Number(limit) : value <= Number(limit)
}

const shown = (value: number): string => value.toFixed(Math.abs(value) < 10 ? 2 : 0)
