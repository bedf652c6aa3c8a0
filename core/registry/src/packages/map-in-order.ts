/**
 * Works on elements in their order, so many at once, and gives the results in that order. After a failure no more are
 * begun; of several failures the one of the first element is thrown, however they were timed.
 */
export async function mapInOrder<T, R>(
  elements: readonly T[],
  atOnce: number,
  work: (element: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const failures = new Map<number, unknown>()
  const queue = elements.entries()
  const worker = async () => {
    for (const [index, element] of queue) {
      if (failures.size > 0) return
      await work(element, index).then(
        (result) => {
          results[index] = result
        },
        (error: unknown) => failures.set(index, error),
      )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  if (failures.size > 0) throw failures.get(Math.min(...failures.keys()))
  return results
}
