import { isNoteText } from '../notes/signed-note.js'
import { MAX_ENTRY_BYTES } from './bundle.js'
import { logErrors } from './errors.js'

/** What an entry says: a kind, and values by their names, in the order in which they stand. */
export interface LeafText {
  readonly kind: string
  readonly fields: ReadonlyMap<string, string>
}

/** Written for a value that is absent. */
export const NONE = 'none'

const KIND = /^[a-z][A-Za-z0-9]*$/
const NAME = /^[A-Za-z0-9][A-Za-z0-9.-]*$/
const VALUE = /^\S(?:.*\S)?$/u
const FIELD = /^([A-Za-z0-9][A-Za-z0-9.-]*) (\S(?:.*\S)?)$/u

/** The text of an entry: a line for the kind, then one `name value` for each field. Throws RangeError for what has no such text. */
export function writeLeafText(kind: string, fields: readonly (readonly [name: string, value: string])[]): string {
  const names = new Set(fields.map(([name]) => name))
  const text = `${kind}\n${fields.map(([name, value]) => `${name} ${value}\n`).join('')}`
  const isRight =
    KIND.test(kind) &&
    names.size === fields.length &&
    fields.every(([name, value]) => NAME.test(name) && VALUE.test(value))
  if (!isRight || !isNoteText(text) || text.length > MAX_ENTRY_BYTES)
    throw new RangeError('This cannot be the text of an entry')
  return text
}

/** Reads what `writeLeafText` writes; throws `logNotRead` with reason `leaf`. */
export function readLeafText(text: string): LeafText {
  const read = parse(text)
  if (read === undefined) throw logErrors.error('logNotRead', { reason: 'leaf' })
  return read
}

function parse(text: string): LeafText | undefined {
  if (text.length > MAX_ENTRY_BYTES || !isNoteText(text)) return undefined
  const [kind = '', ...lines] = text.slice(0, -1).split('\n')
  if (!KIND.test(kind)) return undefined
  const fields = new Map<string, string>()
  for (const line of lines) {
    const [, name, value] = FIELD.exec(line) ?? []
    if (name === undefined || value === undefined || fields.has(name)) return undefined
    fields.set(name, value)
  }
  return { kind, fields }
}
