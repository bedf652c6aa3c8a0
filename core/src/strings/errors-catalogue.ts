import type { ErrorCatalogue } from '../kernel/error.js'
import { token } from '../kernel/token.js'

/** Contribution: the errors that a plugin or a host can answer, for `GET /api/strings`. */
export const ErrorTexts = token<ErrorCatalogue>('ErrorTexts')
