import { port } from '../kernel/port.js'

/** Bytes from `start` (inclusive) to `end` (exclusive), counted from 0. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** An object of a store. */
export interface StoredObject {
  /** Size of the entire object in bytes, whatever range was asked for. */
  readonly size: number
  /** The bytes, or those of the range; callers may leave it unread. */
  readonly bytes: AsyncIterable<Uint8Array>
}

/** An object as a listing shows it. */
export interface ListedObject {
  readonly key: string
  readonly size: number
}

/**
 * Stores the bytes of originals and nothing else: rules, quotas, expiry and references are core's. Keys are 32 characters of
 * `[0-9a-f]`, and core writes each of them once; every method rejects with a `TypeError` for a text that is none (`isArchiveKey`).
 */
export interface ArchiveStore {
  /**
   * Stores exactly `size` bytes under a key, replacing any object. They are durable when it resolves; until then, and after a
   * rejection, nothing of them is visible. Rejects with `ArchiveFull` where there is no room, with the stream's error, and
   * with any other error where the store fails.
   */
  put(key: string, bytes: AsyncIterable<Uint8Array>, size: number): Promise<void>
  /** The object, or the part of it inside the range; `undefined` where there is none. */
  get(key: string, range?: ByteRange): Promise<StoredObject | undefined>
  /** Removes an object and the leftovers of interrupted writes; does nothing where there is none. */
  delete(key: string): Promise<void>
  /** Every object, in any order. */
  list(): AsyncIterable<ListedObject>
}

/** Where originals are stored; `undefined` in a registry that stores no content. */
export const ArchiveStore = port<ArchiveStore | undefined>('ArchiveStore', 'defaulted')

/** The store is full. */
export class ArchiveFull extends Error {
  override readonly name = 'ArchiveFull'

  constructor(cause?: unknown) {
    super('The archive has no room', { cause })
  }
}

/** A scanner's verdict on some content; only `clean` lets it pass. */
export type ScanVerdict =
  | { readonly verdict: 'clean' }
  /** `name` is the scanner's name for the malware. */
  | { readonly verdict: 'infected'; readonly name: string }
  /** The content is too large for the scanner, so it is unknown. */
  | { readonly verdict: 'tooLarge' }

/** Looks for malware in content. */
export interface ContentScanner {
  /** Reads all bytes. Rejects with `ScannerUnavailable` where there is no verdict, and with the stream's error. */
  scan(bytes: AsyncIterable<Uint8Array>): Promise<ScanVerdict>
}

/** Scans content before it is sent out; `undefined` where nothing does. */
export const ContentScanner = port<ContentScanner | undefined>('ContentScanner', 'defaulted')

/** A scanner gave no verdict; the content is then left out or refused. */
export class ScannerUnavailable extends Error {
  override readonly name = 'ScannerUnavailable'

  constructor(reason: string, cause?: unknown) {
    super(`The content was not scanned: ${reason}`, { cause })
  }
}

/** By name, since npm may have installed a second copy of core for a plugin. */
export const isArchiveFull = (error: unknown): boolean => error instanceof Error && error.name === 'ArchiveFull'

/** True for what can be the key of an object. */
export const isArchiveKey = (key: string): boolean => /^[0-9a-f]{32}$/.test(key)
