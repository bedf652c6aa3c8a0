import type { ErrorCode } from './operations.js'

/** A refusal of the registry. */
export class RegistryProblem extends Error {
  override readonly name = 'RegistryProblem'

  constructor(
    /** Key of the texts of `getStrings()`. */
    message: string,
    /** Stable name of the error; `unknown` for an answer that was not the registry's. */
    readonly code: ErrorCode | 'unknown',
    readonly status: number,
    /** Names the request in the log of the service. */
    readonly requestID: string | undefined,
    readonly details: Readonly<Record<string, unknown>> | undefined,
    /** Seconds after which to try again, where the service says so. */
    readonly retryAfter: number | undefined,
  ) {
    super(message)
  }
}

/** True for a refusal with this code: `if (isProblem(error, 'documentNotFound'))`. */
export const isProblem = (error: unknown, code?: ErrorCode): error is RegistryProblem =>
  error instanceof RegistryProblem && (code === undefined || error.code === code)

interface ProblemBody {
  readonly message: string
  readonly requestID: string
  readonly code: ErrorCode
  readonly details?: Readonly<Record<string, unknown>>
}

const isProblemBody = (body: unknown): body is ProblemBody =>
  typeof body === 'object' && body !== null && 'message' in body && 'code' in body && 'requestID' in body

/** The refusal in an answer, if it is one: services may answer refusals with status 200. */
export function problemOf(status: number, body: unknown, retryAfter: string | null): RegistryProblem | undefined {
  const seconds = retryAfter === null ? undefined : Number(retryAfter)
  if (isProblemBody(body)) {
    return new RegistryProblem(body.message, body.code, status, body.requestID, body.details, seconds)
  }
  if (status >= 200 && status < 300) return undefined
  return new RegistryProblem(`HTTP ${status}`, 'unknown', status, undefined, undefined, seconds)
}
