import type { Caller } from '../identity/index.js'
import { requestErrors } from '../kernel/request-errors.js'
import type { Injected } from '../kernel/service.js'
import type { Upload } from '../kernel/upload.js'
import { Ledger } from '../ledger/index.js'
import { bytesOf } from '../originals/index.js'
import { EvidenceLimits } from './limits.js'

/** Copies of a file in memory while a bundle is made of it or it is read: its chunks, one piece, and base64 of the answer. */
const COPIES = 4

/** Schedules work on bundles by the shares of callers, as that on cards. */
export class EvidenceWork {
  static readonly inject = { ledger: Ledger, limits: EvidenceLimits }

  constructor(private readonly use: Injected<typeof EvidenceWork.inject>) {}

  /** Reserves memory for a file before it is read, and works with it in turn. Rejects with `bodyTooLarge`, or as the ledger does. */
  async withFile<T>(caller: Caller, size: number, work: () => Promise<T>): Promise<T> {
    const { evidenceBytes: limit } = this.use.limits
    if (size > limit) throw requestErrors.error('bodyTooLarge', { limit })
    return this.use.ledger.with('memory', caller, COPIES * size, work)
  }

  /** Collects a bundle, and reads it in the caller's turn, which nobody holds who sends slowly. Rejects as `withFile`. */
  async withBundle<T>(caller: Caller, upload: Upload, work: (bundle: Uint8Array) => Promise<T>): Promise<T> {
    return this.withFile(caller, upload.size, async () => {
      const bundle = await bytesOf(upload)
      return this.inTurn(caller, () => work(bundle))
    })
  }

  /** Verifies and arranges what goes into a bundle in the caller's turn. */
  async inTurn<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    return this.use.ledger.with('cards', caller, 1, work)
  }
}
