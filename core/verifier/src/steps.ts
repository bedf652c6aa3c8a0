/**
 * A sequence that may have to wait, written once for those who wait and those who cannot ("sans I/O"): it yields the
 * promise that it waits for, and goes on when that has settled. Without promises it runs through in one go.
 */
export type Steps<T> = Generator<Promise<unknown>, T, void>

/** What an answer comes to; a promise is waited for. */
export function* settled<T>(answer: T | Promise<T>): Steps<T> {
  if (!(answer instanceof Promise)) return answer
  let found: { readonly value: T } | undefined
  yield answer.then((value) => {
    found = { value }
  })
  if (found === undefined) throw new TypeError('the steps went on before their answer was there')
  return found.value
}

/** Runs steps that never wait; throws `TypeError` for those that do. */
export function runSteps<T>(steps: Steps<T>): T {
  const { done, value } = steps.next()
  if (done !== true) throw new TypeError('evidence that has to be waited for is for verifySignatureWith')
  return value
}

/** Runs steps, and waits where they do. */
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
