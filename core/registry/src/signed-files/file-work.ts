import type { Caller } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import type { Upload } from '../kernel/upload.js'
import { Ledger } from '../ledger/index.js'
import { fileErrors } from './errors.js'
import { type OpenFile, SignedFileReader } from './ports.js'

/** Bytes of one file that may be in memory: those of signatures, and of a CMS as a whole. */
const HELD = 64 * 1024 * 1024
const COPIES = 2

/** Schedules work on signed files by the shares of callers. */
export class FileWork {
  static readonly inject = { ledger: Ledger, reader: SignedFileReader }

  constructor(private readonly use: Injected<typeof FileWork.inject>) {}

  /** Reserves memory before a file is read, and works with it while it is open. Rejects with `signedFilesUnavailable`, or as the ledger and the reader do. */
  async withFile<T>(caller: Caller, upload: Upload, work: (file: OpenFile) => Promise<T>): Promise<T> {
    const { ledger, reader } = this.use
    if (reader === undefined) throw fileErrors.error('signedFilesUnavailable')
    const held = await ledger.wait('memory', caller, COPIES * Math.min(upload.size, HELD))
    try {
      const file = await reader.open(upload, (read) => ledger.with('cards', caller, 1, read))
      try {
        // Bundles and cards are read by what reserves memory itself: nobody waits for it who holds some.
        if (file.found.is !== 'signed') held.release()
        return await work(file)
      } finally {
        await file.close()
      }
    } finally {
      held.release()
    }
  }
}
