import { readBase64, readHash, writeBase64 } from './base64.js'
import { MAX_ENTRY_BYTES } from './bundle.js'
import { isCount, readDecimal } from './decimal.js'
import { isSalted } from './entry.js'
import { logErrors } from './errors.js'
import { type LeafText, readLeafText, writeLeafText } from './leaf-text.js'

const PUBLIC = 'signed-registry/public/v1\n'

/** An entry that everybody can read. */
export type PublicEntry =
  | ForgottenEntry
  /** A key that the registry signs statements by, or this log its checkpoints. */
  | { readonly kind: 'statementKey' | 'logKey'; readonly verifierKey: string }
  /** The time stamp over the note of the checkpoint of this size, DER. */
  | { readonly kind: 'stamp'; readonly size: number; readonly token: Uint8Array }
  /** The last checkpoint of the log that this one follows. */
  | { readonly kind: 'succession'; readonly origin: string; readonly size: number; readonly root: Uint8Array }

/** The salt and the text of an entry, of this log or of one that it follows, are gone on purpose. */
export interface ForgottenEntry {
  readonly kind: 'forgotten'
  readonly origin: string
  readonly index: number
  /** The kind of what was forgotten, as an earlier proof of that entry tells it. */
  readonly entryKind: string
  readonly reason: string
}

/** The kinds of what a registry ever forgets, all of documents that nobody signed. */
const FORGETTABLE_KINDS = ['digests', 'delivery', 'settings'] as const
export type ForgettableKind = (typeof FORGETTABLE_KINDS)[number]

/** Whether a registry ever forgets what is of this kind; never a registered signature. */
export const isForgettable = (kind: string): kind is ForgettableKind => FORGETTABLE_KINDS.some((one) => one === kind)

/** What is logged of a public entry; throws RangeError for what cannot be one. */
export function publicEntry(entry: PublicEntry): Buffer {
  const text = writeLeafText(entry.kind, fieldsOf(entry))
  const bytes = Buffer.from(`${PUBLIC}${text}`)
  if (bytes.length > MAX_ENTRY_BYTES || entryOf(readLeafText(text)) === undefined)
    throw new RangeError('This cannot be a public entry')
  return bytes
}

/** Reads what `publicEntry` writes; undefined for a salted entry. Throws `logNotRead` with reason `entry` or `leaf`. */
export function readPublicEntry(bytes: Uint8Array): PublicEntry | undefined {
  if (isSalted(bytes)) return undefined
  const text = bytes.length > MAX_ENTRY_BYTES ? undefined : publicText(bytes)
  const entry = text === undefined ? undefined : entryOf(readLeafText(text))
  // Octets that are no UTF-8 are not in the text.
  if (entry === undefined || !Buffer.from(`${PUBLIC}${text}`).equals(bytes))
    throw logErrors.error('logNotRead', { reason: 'entry' })
  return entry
}

/** The text of a public entry; undefined for other octets. */
export function publicText(bytes: Uint8Array): string | undefined {
  const isPublic = Buffer.from(bytes.subarray(0, PUBLIC.length)).toString('latin1') === PUBLIC
  return isPublic ? Buffer.from(bytes.subarray(PUBLIC.length)).toString() : undefined
}

function fieldsOf(entry: PublicEntry): readonly (readonly [string, string])[] {
  switch (entry.kind) {
    case 'forgotten':
      return [
        ['origin', entry.origin],
        counted('index', entry.index),
        ['entryKind', entry.entryKind],
        ['reason', entry.reason],
      ]
    case 'statementKey':
    case 'logKey':
      return [['verifierKey', entry.verifierKey]]
    case 'stamp':
      return [counted('size', entry.size), ['token', writeBase64(entry.token)]]
    case 'succession':
      return [['origin', entry.origin], counted('size', entry.size), ['root', writeBase64(entry.root)]]
  }
}

function counted(name: string, value: number): readonly [string, string] {
  if (!isCount(value)) throw new RangeError('Sizes and indices are whole numbers up to 2^53 - 1')
  return [name, `${value}`]
}

/** The fields of each kind, in their order. */
const FIELDS: Readonly<Record<string, string>> = {
  forgotten: 'origin index entryKind reason',
  statementKey: 'verifierKey',
  logKey: 'verifierKey',
  stamp: 'size token',
  succession: 'origin size root',
}

function entryOf({ kind, fields }: LeafText): PublicEntry | undefined {
  if ([...fields.keys()].join(' ') !== FIELDS[kind]) return undefined
  const field = (name: string): string => fields.get(name) ?? ''
  const size = readDecimal(field('size'))
  switch (kind) {
    case 'forgotten': {
      const index = readDecimal(field('index'))
      if (index === undefined) return undefined
      return { kind, origin: field('origin'), index, entryKind: field('entryKind'), reason: field('reason') }
    }
    case 'statementKey':
    case 'logKey':
      return { kind, verifierKey: field('verifierKey') }
    case 'stamp': {
      const token = readBase64(field('token'))
      return size === undefined || token === undefined ? undefined : { kind, size, token }
    }
    case 'succession': {
      const root = readHash(field('root'))
      return size === undefined || root === undefined ? undefined : { kind, origin: field('origin'), size, root }
    }
    default:
      return undefined
  }
}
