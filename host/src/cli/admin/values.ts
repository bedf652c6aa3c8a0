import { type ParseArgsConfig, parseArgs } from 'node:util'
import { UsageError } from '../console.js'

const OWNER = /^(BIN|IIN)\d{12}$/
const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?Z)?$/
const SIZE = /^(\d{1,15})(B|KiB|MiB|GiB|TiB)?$/
const UNITS: Readonly<Record<string, number>> = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 }

/** Options and operands of a command; throws a `UsageError` for an option that it does not have. */
export function readArguments<const O extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: O,
): ReturnType<typeof parseArgs<{ args: string[]; options: O; allowPositionals: true }>> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** The owner that a command is about: a BIN, or an IIN where allowed. */
export function readOwner(text: string | undefined, kinds: readonly ('BIN' | 'IIN')[]): string {
  const kind = OWNER.exec(text ?? '')?.[1]
  if (text !== undefined && kinds.some((allowed) => allowed === kind)) return text
  throw new UsageError(`Give ${kinds.join(' or ')} and 12 digits${text === undefined ? '' : `, not ${text}`}`)
}

/** Milliseconds; `undefined` for never. */
export function readDate(option: string, text: string): number | undefined {
  if (text === 'never') return undefined
  const time = DATE.test(text) ? Date.parse(text) : Number.NaN
  // Some parsers turn 30 February into 2 March.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text.slice(0, 10)) {
    throw new UsageError(`${option} takes a date such as 2027-01-31, or never; not ${text}`)
  }
  return time
}

/** Bytes; `undefined` for the default. */
export function readSize(text: string | undefined): number | undefined {
  if (text === 'default') return undefined
  const [, digits, unit = 'B'] = SIZE.exec(text ?? '') ?? []
  const bytes = Number(digits) * (UNITS[unit] ?? Number.NaN)
  if (Number.isSafeInteger(bytes)) return bytes
  throw new UsageError(`Give a size such as 500MiB or 2GiB, or default${text === undefined ? '' : `; not ${text}`}`)
}

/** One of the values that an option accepts. */
export function readName<const N extends string>(option: string, names: readonly N[], text: string): N {
  const name = names.find((known) => known === text)
  if (name === undefined) throw new UsageError(`${option} takes ${names.join(', ')}; not ${text}`)
  return name
}
