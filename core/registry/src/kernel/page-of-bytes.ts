/** The size of a value as JSON, in bytes. */
export const weightAsJson = (shown: unknown): number => Buffer.byteLength(JSON.stringify(shown))

/**
 * Shows items until the page has `limit` bytes of JSON; at least one. The next page starts before the time of the last item,
 * so all items of that time are on this page: those beyond the limit in short.
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
    // Nothing depends on the size of the last one.
    if (at < items.length - 1) weight += weightOf(shown)
    last = moment
    page.push(shown)
  }
  return page
}
