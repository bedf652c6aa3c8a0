import { fileErrors, type OpenFile, requestErrors, type SignedFileReader, type Upload } from '@signed-registry/core'
import { documentOf } from './document-of.js'
import { octetsFrom } from './octets-from.js'
import { readInThread } from './read-in-thread.js'
import { type Spooled, spool } from './spool.js'

/** Bounds of reading. */
export interface ReaderOptions {
  readonly folder: string | undefined
  readonly maxBytes: number
  readonly roomBytes: number
  readonly memoryMb: number
  readonly timeoutMs: number
}

/** Reads signed files, each out of a temporary file, in a thread of its own. */
export class ThreadFileReader implements SignedFileReader {
  private taken = 0

  constructor(private readonly options: ReaderOptions) {}

  async open(upload: Upload, inTurn: <T>(read: () => Promise<T>) => Promise<T>): Promise<OpenFile> {
    const { maxBytes: limit, roomBytes, folder } = this.options
    if (upload.size > limit) throw requestErrors.error('bodyTooLarge', { limit })
    if (this.taken + upload.size > roomBytes)
      throw fileErrors.error('signedFilesBusy', { reason: 'room', retryAfter: 10 })
    this.taken += upload.size
    let spooled: Spooled | undefined
    const close = async () => {
      this.taken -= upload.size
      await spooled?.close()
    }
    try {
      const file = await spool(upload, folder)
      spooled = file
      const found = await inTurn(() => readInThread(file, this.options))
      return {
        size: file.size,
        found,
        whole: () => ({ size: file.size, stream: octetsFrom(file, 0, file.size) }),
        document: (one) => {
          if (found.is === 'evidence') throw new TypeError('A bundle has documents of its own')
          return documentOf(file, found.file, one)
        },
        close,
      }
    } catch (error) {
      await close()
      throw error
    }
  }
}
