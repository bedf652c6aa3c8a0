/** What work settles with; rejects, and aborts its signal, when it takes longer than so many milliseconds, or is stopped. */
export async function settledWithin<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  stopped?: AbortSignal,
): Promise<T> {
  stopped?.throwIfAborted()
  const ended = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let stop = () => {}
  const late = new Promise<never>((_resolve, reject) => {
    const end = (reason: unknown) => {
      reject(reason)
      ended.abort()
    }
    timer = setTimeout(() => end(new Error(`no answer within ${ms} ms`)), ms)
    stop = () => end(stopped?.reason)
    stopped?.addEventListener('abort', stop)
  })
  try {
    return await Promise.race([work(ended.signal), late])
  } finally {
    clearTimeout(timer)
    stopped?.removeEventListener('abort', stop)
  }
}
