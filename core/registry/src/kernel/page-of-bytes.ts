/** Bytes of a value as JSON. */
export const weightAsJson = (shown: unknown): number => Buffer.byteLength(JSON.stringify(shown))

/**
 * Shows items of a page until together they weigh `limit` bytes as JSON; at least the first one. Reading on begins before
 * the moment of the last one, so all items of that moment are on the page: what is beyond the limit then is shown in short.
 */
export async function pageOfBytes<T, S>(
  items: readonly T[],
  limit: number,
  momentOf: (item: T) => number,
  show: (item: T, inShort: boolean) => S | Promise<S>,
  weightOf: (shown: S) => number = weightAsJson,
): Promise<S[]> {
  const page: S[] = []
  let weight = 0
  let last: number | undefined
  for (const [at, item] of items.entries()) {
    const moment = momentOf(item)
    if (weight >= limit && moment !== last) break
    const showing = show(item, weight >= limit)
    const shown = showing instanceof Promise ? await showing : showing
    // Nothing follows the last one, so nobody asks what it weighs.
    if (at < items.length - 1) weight += weightOf(shown)
    last = moment
    page.push(shown)
  }
  return page
}
