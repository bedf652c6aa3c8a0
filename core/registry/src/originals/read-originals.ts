import { createHash } from 'node:crypto'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { isReadable, isSpooled } from './data-state.js'
import { originalErrors } from './errors.js'
import { type KeptOriginal, OriginalStore } from './original-store.js'
import { ArchiveStore, type ByteRange } from './ports.js'
import { SegmentTags } from './segment-tags.js'
import { piecesOf, SEGMENT, segmentsOf } from './segments.js'

const TAG_LENGTH = 32

/** A stored original that may be read. */
export interface ReadableOriginal {
  /** Bytes. */
  readonly size: number
  /** Unique to this copy; hexadecimal. */
  readonly tag: string
  /**
   * The original, or a range inside it. Throws `archiveNotRead` before it would give an altered byte; all bytes before that
   * are genuine.
   */
  bytes(range?: ByteRange): AsyncIterable<Uint8Array>
}

/** Reads originals without trusting the store: the tag of every segment is verified before it is given out. */
export class ReadOriginals {
  static readonly inject = { originals: OriginalStore, store: ArchiveStore, clock: Clock }

  constructor(private readonly use: Injected<typeof ReadOriginals.inject>) {}

  /** Rejects with `archiveNotFound` where the original is neither archived nor in temporary storage. */
  async open(documentId: string): Promise<ReadableOriginal> {
    const kept = await this.use.originals.find(documentId)
    if (!isReadable(kept, this.use.clock.now())) throw originalErrors.error('archiveNotFound')
    return this.opened(kept)
  }

  /** As `open`, but `undefined` where there is none. With `spooled` also one that is kept only for mails. */
  async find(documentId: string, { spooled = false } = {}): Promise<ReadableOriginal | undefined> {
    const kept = await this.use.originals.find(documentId)
    const now = this.use.clock.now()
    return isReadable(kept, now) || (spooled && isSpooled(kept, now)) ? this.opened(kept) : undefined
  }

  /** Opens a stored copy, whatever it is kept for. */
  opened(kept: KeptOriginal): ReadableOriginal {
    const { key, size, segments = new Uint8Array() } = kept
    return {
      size,
      tag: createHash('sha256').update(segments).update(String(size)).digest('hex').slice(0, TAG_LENGTH),
      bytes: (range = { start: 0, end: size }) => this.read({ key, size, segments }, range),
    }
  }

  private async *read(
    { key, size, segments }: { key: string; size: number; segments: Uint8Array },
    range: ByteRange,
  ): AsyncGenerator<Uint8Array> {
    try {
      const { first, end } = segmentsOf(range)
      const stored = await this.use.store?.get(key, { start: first * SEGMENT, end: Math.min(end * SEGMENT, size) })
      if (stored === undefined) throw new Error('The archive store has no such object')
      if (stored.size !== size) throw new Error(`The archive store has ${stored.size} bytes in place of ${size}`)
      const tags = SegmentTags.read(segments)
      let number = first
      for await (const piece of piecesOf(range.start < range.end ? stored.bytes : [], SEGMENT)) {
        if (!tags.matches(piece, number)) {
          throw new Error(`Segment ${number} of the object is not what was stored`)
        }
        const at = number * SEGMENT
        yield piece.subarray(Math.max(0, range.start - at), Math.min(piece.length, range.end - at))
        number += 1
      }
      if (number < end && range.start < range.end) throw new Error('The object is cut')
    } catch (error) {
      throw originalErrors.error('archiveNotRead', undefined, error)
    }
  }
}
