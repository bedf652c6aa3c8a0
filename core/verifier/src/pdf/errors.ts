import { signedFileErrors } from '../signed-file-errors.js'

/** The refusal of a PDF whose structure cannot be read, or exceeds a limit. */
export const notRead = (reason: string, details: object = {}) =>
  signedFileErrors.error('fileNotRead', { reason, format: 'pdf', ...details })
