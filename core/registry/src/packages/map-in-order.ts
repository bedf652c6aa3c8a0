/**
 * Maps elements with limited concurrency; results are in the order of the elements. A failure starts no further work; of
 * several failures that of the first element is thrown, whichever came first in time.
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
