/** Answers all who ask while a reading is under way by that one: several metrics of a scrape are told from it. */
export function oneReading<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
}
