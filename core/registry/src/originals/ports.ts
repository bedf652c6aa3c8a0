import { port } from '../kernel/port.js'

/** Bytes from `start` up to and without `end`, counted from 0. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** What a store keeps under a key. */
export interface StoredObject {
  /** Bytes of the whole object, whatever range was asked for. */
  readonly size: number
  /** The bytes, or those of the range; it may be left unread. */
  readonly bytes: AsyncIterable<Uint8Array>
}

/** An object as a listing shows it. */
export interface ListedObject {
  readonly key: string
  readonly size: number
}

/**
 * Carries the bytes of originals, and nothing else: rules, quotas, times and references are core's. Keys are 32 characters
 * of `[0-9a-f]`, and core writes each of them once.
 */
export interface ArchiveStore {
  /**
   * Keeps exactly `size` bytes under a key, in place of what was there. When it resolves they survive a crash of the
   * machine; until then, and after a rejection, nothing of them is to be seen. Rejects with `ArchiveFull` where there is no
   * room, with what the stream threw, and with any other error for a store that cannot do it now.
   */
  put(key: string, bytes: AsyncIterable<Uint8Array>, size: number): Promise<void>
  /** The object, or the part of it that lies inside the range; `undefined` where there is none. */
  get(key: string, range?: ByteRange): Promise<StoredObject | undefined>
  /** Removes an object, and what interrupted writes of it have left; does nothing where there is none. */
  delete(key: string): Promise<void>
  /** Every object, in no order. */
  list(): AsyncIterable<ListedObject>
}

/** Where originals are kept; `undefined` in a registry that keeps no content at all. */
export const ArchiveStore = port<ArchiveStore | undefined>('ArchiveStore', 'defaulted')

/** A store has no room for more. */
export class ArchiveFull extends Error {
  override readonly name = 'ArchiveFull'

  constructor(cause?: unknown) {
    super('The archive has no room', { cause })
  }
}

/** What a scanner says of some content; only `clean` lets it pass. */
export type ScanVerdict =
  | { readonly verdict: 'clean' }
  /** `name` is the scanner's name of what it found. */
  | { readonly verdict: 'infected'; readonly name: string }
  /** The content is larger than the scanner takes, so nobody knows. */
  | { readonly verdict: 'tooLarge' }

/** Looks for malware in content. */
export interface ContentScanner {
  /** Reads all of the bytes. Rejects with `ScannerUnavailable` without a verdict, and with what the stream threw. */
  scan(bytes: AsyncIterable<Uint8Array>): Promise<ScanVerdict>
}

/** Who scans content before it goes out; `undefined` where nobody does. */
export const ContentScanner = port<ContentScanner | undefined>('ContentScanner', 'defaulted')

/** A scanner gave no verdict: what needed one is left out or refused. */
export class ScannerUnavailable extends Error {
  override readonly name = 'ScannerUnavailable'

  constructor(reason: string, cause?: unknown) {
    super(`The content was not scanned: ${reason}`, { cause })
  }
}

/** True also for an error of a second copy of core that npm may have installed for a plugin. */
export const isArchiveFull = (error: unknown): boolean => error instanceof Error && error.name === 'ArchiveFull'

/** True for what can be the key of an object. */
export const isArchiveKey = (key: string): boolean => /^[0-9a-f]{32}$/.test(key)
