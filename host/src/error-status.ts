import type { ErrorKind } from '@signed-registry/core'

/** HTTP statuses of errors: their own, or always 200 as clients of the production service expect. */
export type ErrorsStatus = 'semantic' | 'always-200'

/** The one table from kinds of error to HTTP statuses. */
export const statusOfKind: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  absent: 404,
  conflict: 409,
  tooLarge: 413,
  unacceptable: 422,
  tooMany: 429,
  unexpected: 500,
  unavailable: 503,
  full: 507,
}

/** Seconds after which a client may retry (`Retry-After`). */
export const retryAfter: Partial<Record<ErrorKind, number>> = { tooMany: 60, unavailable: 10 }
