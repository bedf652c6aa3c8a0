import { digestFrom } from '../kernel/digest-text.js'
import { requestErrors } from '../kernel/request-errors.js'

/** The hash that a query asks about, in base64. Throws `invalidQueryParameter`. */
export function readDigest(text: string): Buffer {
  const digest = digestFrom(text)
  if (digest === undefined) throw requestErrors.error('invalidQueryParameter', { parameter: 'digest' })
  return digest
}
