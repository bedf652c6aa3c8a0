import type { Caller } from '../identity/index.js'
import type { RegistryError } from '../kernel/error.js'
import { requestErrors } from '../kernel/request-errors.js'
import type { Injected } from '../kernel/service.js'
import { Ledger } from '../ledger/index.js'
import { cardErrors } from './errors.js'
import { CardLimits } from './limits.js'
import type { CardError, CardFault } from './ports.js'

type Failure = 'cardNotBuilt' | 'cardNotParsed'

/** How often a file is in memory at most while a card is made or read of it: as it came, in one piece, and as a card in base64. */
const COPIES = 5

/** Work on cards, by the shares of who asks: files are read when there is memory for them, drawn and parsed in turn. */
export class CardWork {
  static readonly inject = { ledger: Ledger, limits: CardLimits }

  constructor(private readonly use: Injected<typeof CardWork.inject>) {}

  /** Works with a file of so many bytes in memory; nothing of it is read before. Rejects with `bodyTooLarge`, or as the ledger. */
  async withFile<T>(caller: Caller, size: number, work: () => Promise<T>): Promise<T> {
    const { cardBytes: limit } = this.use.limits
    if (size > limit) throw requestErrors.error('bodyTooLarge', { limit })
    return this.use.ledger.with('memory', caller, COPIES * size, work)
  }

  /** Has a card drawn, read or compared in the caller's turn, and tells what failed in the words of the catalogue. */
  async have<T>(caller: Caller, failure: Failure, work: () => Promise<T>): Promise<T> {
    return this.use.ledger.with('cards', caller, 1, async () => {
      try {
        return await work()
      } catch (error) {
        throw catalogued(failure, error)
      }
    })
  }
}

const NOT_OF_THE_FILE: ReadonlySet<CardFault> = new Set<CardFault>(['busy', 'failed', 'unavailable'])

function catalogued(code: Failure, error: unknown): RegistryError {
  const reason = isCardError(error) ? error.fault : 'failed'
  return cardErrors.error(NOT_OF_THE_FILE.has(reason) ? 'cardsBusy' : code, { reason }, error)
}

/** Also true for an error of a second copy of core that npm may have installed for a plugin. */
const isCardError = (error: unknown): error is CardError =>
  error instanceof Error && error.name === 'CardError' && 'fault' in error
