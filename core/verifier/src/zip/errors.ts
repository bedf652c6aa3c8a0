import { signedFileErrors } from '../signed-file-errors.js'

/** The refusal of a ZIP that is not in the form that every reader reads in the same way, or exceeds a limit. */
export const notRead = (reason: string, file?: string) =>
  signedFileErrors.error('fileNotRead', { reason, format: 'zip', ...(file !== undefined && { file }) })
