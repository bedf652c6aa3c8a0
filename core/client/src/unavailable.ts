/**
 * No answer of the registry came: `network`, it cannot be reached; `timeout`, it took too long; `notARegistry`, something else
 * answered, such as a proxy or a page. What the platform said is the `cause`.
 */
export class RegistryUnavailable extends Error {
  override readonly name = 'RegistryUnavailable'

  constructor(
    readonly reason: 'network' | 'timeout' | 'notARegistry',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** What `work` gives; where it is rejected, as `fetch` is, says what that means. The reason of the caller's signal stays as it is. */
export function orUnavailable<T>(work: Promise<T>, url: string, signal: AbortSignal | undefined): Promise<T> {
  return work.catch((error: unknown) => {
    throw signal?.aborted ? error : unavailable(error, url)
  })
}

function unavailable(error: unknown, url: string): RegistryUnavailable {
  const isLate = error instanceof DOMException && error.name === 'TimeoutError'
  if (isLate) return new RegistryUnavailable('timeout', `${url} did not answer in time`, { cause: error })
  const hint = 'in a browser also where it does not let this page call it'
  return new RegistryUnavailable('network', `${url} cannot be reached (${hint})`, { cause: error })
}
