import { partyIn } from './party-number.js'

/** A row of a list of recipients: whom to send to, what to say, until when; or what is wrong with it. */
export interface ListedRecipient {
  /** Line of the file, counted from 1. */
  readonly line: number
  /** As it was written. */
  readonly written: string
  /** `IIN` or `BIN` and 12 digits. */
  readonly to?: string
  readonly comment?: string
  /** Milliseconds: the end of that day in UTC+5. */
  readonly deadline?: number
  /** The name of a file as it was written. */
  readonly writtenFile?: string
  /** Which of the files goes to them: its name. */
  readonly file?: string
  readonly problem?: 'number' | 'deadline' | 'twice' | 'words' | 'file'
}

const MAX_WORDS = 1000
const YEAR_MS = 366 * 24 * 60 * 60_000

/** Text of a file in UTF-8, or in the encoding in which Excel saves CSV files in Kazakhstan. */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1251').decode(bytes)
  }
}

/**
 * The recipients in a CSV file: `;`, `,` or tabs between fields, quotes around them where they need it. Where one of several
 * files goes to each, `names` are theirs; before any is chosen, none is missed.
 */
export function recipientsIn(text: string, now: number, names?: readonly string[]): ListedRecipient[] {
  const rows = rowsOf(text.replace(/^\uFEFF/, ''))
  const [first] = rows
  // A first row without any digit has the names of the columns.
  const listed = first !== undefined && !/\d/.test(first.fields[0] ?? '') ? rows.slice(1) : rows
  const seen = new Set<string>()
  return listed.map(({ line, fields }) => {
    const [number = '', words = '', day = '', writtenFile = ''] = fields.map((field) => field.trim())
    const to = partyIn(number)
    const deadline = day === '' ? undefined : endOf(day)
    const file = names && fileIn(names, writtenFile)
    const sending = `${to} ${names && nameKey(file ?? writtenFile)}`
    const isTwice = to !== undefined && seen.has(sending)
    if (to !== undefined) seen.add(sending)
    const isMissed = names !== undefined && names.length > 0 && file === undefined
    const problem = problemOf({ to, isTwice, words, day, deadline, now, isMissed })
    return {
      line,
      written: number,
      ...(to !== undefined && { to }),
      ...(words !== '' && { comment: words }),
      ...(deadline !== undefined && { deadline }),
      ...(writtenFile !== '' && { writtenFile }),
      ...(file !== undefined && { file }),
      ...(problem !== undefined && { problem }),
    }
  })
}

/** Names of files, alike where a computer takes them for the same. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase()

/** The file that a row names; a single one needs no name. */
const fileIn = (names: readonly string[], written: string): string | undefined =>
  written === '' && names.length === 1 ? names[0] : names.find((name) => nameKey(name) === nameKey(written))

interface Read {
  readonly isMissed: boolean
  readonly to: string | undefined
  readonly isTwice: boolean
  readonly words: string
  readonly day: string
  readonly deadline: number | undefined
  readonly now: number
}

function problemOf({ to, isTwice, words, day, deadline, now, isMissed }: Read): ListedRecipient['problem'] {
  if (to === undefined) return 'number'
  if (isMissed) return 'file'
  if (isTwice) return 'twice'
  if ([...words].length > MAX_WORDS) return 'words'
  if (day !== '' && (deadline === undefined || deadline <= now || deadline > now + YEAR_MS)) return 'deadline'
  return undefined
}

/** The end of a day written as `2026-12-31` or `31.12.2026`, in UTC+5 like all times on pages. */
function endOf(day: string): number | undefined {
  const [, year, month, date] =
    /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? reordered(/^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(day)) ?? []
  if (year === undefined || month === undefined || date === undefined) return undefined
  const iso = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  const end = Date.parse(`${iso}T23:59:00+05:00`)
  // A day that the month does not have would become one of the next month.
  const isReal = !Number.isNaN(end) && new Date(end + 5 * 60 * 60_000).toISOString().startsWith(iso)
  return isReal ? end : undefined
}

const reordered = (found: RegExpExecArray | null): (string | undefined)[] | undefined =>
  found === null ? undefined : [found[0], found[3], found[2], found[1]]

interface Row {
  readonly line: number
  readonly fields: readonly string[]
}

/** Rows of a CSV file (RFC 4180); the delimiter is the one that the first line has. */
function rowsOf(text: string): Row[] {
  const [head = ''] = text.split(/\r?\n/, 1)
  const delimiter = [';', '\t', ','].find((one) => head.includes(one)) ?? ';'
  const rows: Row[] = []
  let fields: string[] = []
  let field = ''
  let isQuoted = false
  let line = 1
  let from = 1
  const end = () => {
    fields.push(field)
    if (fields.some((one) => one.trim() !== '')) rows.push({ line: from, fields })
    fields = []
    field = ''
  }
  for (let at = 0; at < text.length; at += 1) {
    const c = text.charAt(at)
    if (c === '\n') line += 1
    if (isQuoted) {
      if (c !== '"') field += c
      else if (text.charAt(at + 1) === '"') {
        field += c
        at += 1
      } else isQuoted = false
    } else if (c === '"' && field.trim() === '') {
      field = ''
      isQuoted = true
    } else if (c === delimiter) {
      fields.push(field)
      field = ''
    } else if (c === '\n') {
      end()
      from = line
    } else if (c !== '\r') field += c
  }
  end()
  return rows
}

/** A CSV file that Excel opens: UTF-8 with a mark; a field that it would take for a formula begins with an apostrophe. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((row) => row.map((field) => `"${field.replace(/^(?=[=+\-@\t\r])/, "'").replaceAll('"', '""')}"`).join(';')).join('\r\n')}\r\n`
