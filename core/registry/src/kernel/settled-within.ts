/** What work settles with; rejects, and aborts its signal, when it takes longer than so many milliseconds, or is stopped. */
export async function settledWithin<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  stopped?: AbortSignal,
): Promise<T> {
  stopped?.throwIfAborted()
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new Error(`no answer within ${ms} ms`)), ms)
  const ended = stopped === undefined ? late.signal : AbortSignal.any([late.signal, stopped])
  const end = new Promise<never>((_resolve, reject) => {
    ended.addEventListener('abort', () => reject(ended.reason))
  })
  try {
    return await Promise.race([work(ended), end])
  } finally {
    clearTimeout(timer)
  }
}
