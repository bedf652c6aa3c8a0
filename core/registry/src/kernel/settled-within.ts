/** What work settles with; rejects, and aborts its signal, when it takes longer than so many milliseconds. */
export async function settledWithin<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${ms} ms`))
      deadline.abort()
    }, ms)
  })
  try {
    return await Promise.race([work(deadline.signal), late])
  } finally {
    clearTimeout(timer)
  }
}
