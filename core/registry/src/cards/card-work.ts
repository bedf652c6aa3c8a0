import type { Caller } from '../identity/index.js'
import type { RegistryError } from '../kernel/error.js'
import { requestErrors } from '../kernel/request-errors.js'
import type { Injected } from '../kernel/service.js'
import { Ledger } from '../ledger/index.js'
import { cardErrors } from './errors.js'
import { CardLimits } from './limits.js'
import type { CardError, CardFault } from './ports.js'

type Failure = 'cardNotBuilt' | 'cardNotParsed'

/** Copies of a file in memory while a card is made or read: its chunks, one piece, and a card in base64. */
const COPIES = 5

/** Schedules work on cards by the shares of callers: files are read when there is memory, and cards drawn and parsed in turn. */
export class CardWork {
  static readonly inject = { ledger: Ledger, limits: CardLimits }

  constructor(private readonly use: Injected<typeof CardWork.inject>) {}

  /** Reserves memory for a file before it is read, and works with it. Rejects with `bodyTooLarge`, or as the ledger does. */
  async withFile<T>(caller: Caller, size: number, work: () => Promise<T>): Promise<T> {
    const { cardBytes: limit } = this.use.limits
    if (size > limit) throw requestErrors.error('bodyTooLarge', { limit })
    return this.use.ledger.with('memory', caller, COPIES * size, work)
  }

  /** Draws, reads or compares a card in the caller's turn; turns a `CardError` into an error of the catalogue. */
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

/** Not `instanceof`: npm may have installed a second copy of core for a plugin. */
const isCardError = (error: unknown): error is CardError =>
  error instanceof Error && error.name === 'CardError' && 'fault' in error
