/** What a catalogue says of an algorithm: keys of at least so many bits are good from one time until another. */
export interface AlgorithmEvaluation {
  readonly minBits?: number
  readonly from?: number
  readonly until?: number
}
export type AlgorithmEvaluations = Readonly<Record<string, readonly AlgorithmEvaluation[]>>

/**
 * Until when an algorithm, with a key of so many bits, is good of all that call it good since before a time: 0 for never,
 * `Infinity` for ever and for what is not listed.
 */
export function listedUntil(
  evaluations: AlgorithmEvaluations | undefined,
  oid: string,
  { bits = Number.POSITIVE_INFINITY, at }: { readonly bits?: number; readonly at: number },
): number {
  const listed = evaluations?.[oid]
  if (listed === undefined) return Number.POSITIVE_INFINITY
  const fitting = listed.filter(({ minBits = 0, from = at }) => bits >= minBits && from <= at)
  return Math.max(0, ...fitting.map(({ until }) => until ?? Number.POSITIVE_INFINITY))
}
