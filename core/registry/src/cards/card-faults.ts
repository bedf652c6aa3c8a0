import type { RegistryError } from '../kernel/error.js'
import { cardErrors } from './errors.js'
import type { CardError } from './ports.js'

/** Does something with a card, and tells what failed in the words of the catalogue. */
export async function answering<T>(code: 'cardNotBuilt' | 'cardNotParsed', work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw catalogued(code, error)
  }
}

function catalogued(code: 'cardNotBuilt' | 'cardNotParsed', error: unknown): RegistryError {
  if (!isCardError(error)) return cardErrors.error(code, { reason: 'broken' }, error)
  return error.fault === 'busy' || error.fault === 'unavailable'
    ? cardErrors.error('cardsBusy', { reason: error.fault }, error)
    : cardErrors.error(code, { reason: error.fault }, error)
}

/** Also true for an error of a second copy of core that npm may have installed for a plugin. */
const isCardError = (error: unknown): error is CardError =>
  error instanceof Error && error.name === 'CardError' && 'fault' in error
