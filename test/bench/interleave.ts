/**
 * Processor time of one call of each variant in microseconds, round by round. Variants take turns, so that what else the
 * machine does meets all of them alike; the first rounds warm up and are not given.
 */
export function interleave<Name extends string>(
  variants: Readonly<Record<Name, (index: number) => unknown>>,
  { rounds, calls, warmUp }: { rounds: number; calls: number; warmUp: number },
): Record<Name, number>[] {
  const names = Object.keys(variants) as Name[]
  const all: Record<Name, number>[] = []
  for (let round = 0; round < rounds + warmUp; round += 1) {
    const costs = names.map((name) => [name, cost(variants[name], round * calls, calls)] as const)
    if (round >= warmUp) all.push(Object.fromEntries(costs) as Record<Name, number>)
  }
  return all
}

function cost(work: (index: number) => unknown, from: number, calls: number): number {
  const start = process.cpuUsage()
  for (let index = from; index < from + calls; index += 1) work(index)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / calls
}

/** The one in the middle. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
