import { isNotDer, RegistryError, signatureErrors } from '@signed-registry/verifier'
import { AuthorityUnavailable, type Call, type CallStatistics } from './ports.js'

/** One request to an authority. */
export interface AuthorityQuestion<T> {
  readonly protocol: Call['protocol']
  readonly url: string
  /** Sends a fresh request and answers the verified result; called again for the only retry. */
  readonly exchange: () => Promise<T>
  /** Aborted on timeout. */
  readonly signal: AbortSignal
}

/** An answer that cannot be used; it says whether a retry at once makes sense. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer'

  constructor(
    readonly reason: string,
    readonly facts: Readonly<Record<string, unknown>> = {},
    readonly worthRetrying = false,
  ) {
    super(reason)
  }
}

const PROBLEMS = { tsp: 'tspServerProblem', ocsp: 'ocspServerProblem' } as const

/**
 * Asks at most twice and counts every call. A call succeeds when its answer passes every check, or is a genuine negative one:
 * `invalidCertificateStatus` is rethrown. Everything else is the authority's failure.
 */
export async function askAuthority<T>(question: AuthorityQuestion<T>, statistics: CallStatistics): Promise<T> {
  const { protocol, exchange, signal } = question
  const url = publicAddress(question.url)
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await exchange()
      statistics.record({ protocol, url, ok: true })
      return answer
    } catch (error) {
      const isTrueAnswer = error instanceof RegistryError && error.code === 'invalidCertificateStatus'
      statistics.record({ protocol, url, ok: isTrueAnswer })
      if (isTrueAnswer) throw error
      if (attempt === 1 && isWorthRetrying(error) && !signal.aborted) continue
      // The address is only logged, since it may be inside the operator's network.
      throw signatureErrors.error(PROBLEMS[protocol], problem(error), new Error(`asked ${url}`, { cause: error }))
    }
  }
}

/** The address without credentials, query and fragment, as `CallStatistics` counts calls to it. */
export function publicAddress(url: string): string {
  if (!URL.canParse(url)) return ''
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

function isWorthRetrying(error: unknown): boolean {
  if (error instanceof AuthorityUnavailable || error instanceof UnusableAnswer) return error.worthRetrying
  return false
}

function problem(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof UnusableAnswer) return { reason: error.reason, ...error.facts }
  if (isNotDer(error)) return { reason: 'malformed', problem: error.details?.explanation }
  if (error instanceof RegistryError) return { reason: error.code, ...error.details, because: error.code }
  return { reason: error instanceof AuthorityUnavailable ? error.reason : 'unreachable' }
}
