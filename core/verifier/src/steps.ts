/**
 * A computation written once for synchronous and asynchronous callers ("sans I/O"): it yields each promise that it has to
 * await and continues when that has settled. Without promises it runs synchronously.
 */
export type Steps<T> = Generator<Promise<unknown>, T, void>

/** The value, or that of a promise. */
export function* settled<T>(answer: T | Promise<T>): Steps<T> {
  if (!(answer instanceof Promise)) return answer
  let found: { readonly value: T } | undefined
  yield answer.then((value) => {
    found = { value }
  })
  if (found === undefined) throw new TypeError('the steps went on before their answer was there')
  return found.value
}

/** Runs steps synchronously; throws `TypeError` if they yield a promise. */
export function runSteps<T>(steps: Steps<T>): T {
  const { done, value } = steps.next()
  if (done !== true) throw new TypeError('evidence that has to be waited for is for verifySignatureWith')
  return value
}

/** Runs steps asynchronously. */
export async function awaitSteps<T>(steps: Steps<T>): Promise<T> {
  let step = steps.next()
  while (step.done !== true) {
    const failure = await step.value.then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    step = failure === undefined ? steps.next() : steps.throw(failure.error)
  }
  return step.value
}
