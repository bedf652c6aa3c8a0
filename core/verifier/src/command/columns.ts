/** Columns of a terminal that everything fits into. */
export const COLUMNS = 80

const WIDE =
  /\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Emoji_Presentation}|[\uff01-\uff60]/u
const graphemes = new Intl.Segmenter()

/** Each sign of a text that is told apart keeps a copy of all of it: memory grows with the square. */
const MAX_LENGTH = 2000

/**
 * A text of somebody else as one line that cannot steer a terminal: control and format characters are shown as `�`, and what
 * is too long for anybody to read is cut.
 */
export const plain = (text: string): string =>
  (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd')

/** How many columns a text takes. */
export const width = (text: string): number =>
  [...graphemes.segment(text)].reduce((sum, { segment }) => sum + columnsOf(segment), 0)

const columnsOf = (sign: string): number => (WIDE.test(sign) ? 2 : 1)

/** The text in at most that many columns, with … where it was cut. */
export function cut(text: string, columns: number): string {
  if (width(text) <= columns) return text
  let kept = ''
  let left = columns - 1
  for (const { segment } of graphemes.segment(text)) {
    left -= columnsOf(segment)
    if (left < 0) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

/** As `cut`, in the middle, so that the end of a path stays. */
export function cutMiddle(text: string, columns: number): string {
  if (width(text) <= columns) return text
  const signs = [...graphemes.segment(text)].map(({ segment }) => segment)
  const half = Math.floor((columns - 1) / 2)
  const end = cut(signs.toReversed().join(''), half + 1).slice(0, -1)
  return `${cut(text, columns - width(end))}${[...graphemes.segment(end)]
    .map(({ segment }) => segment)
    .toReversed()
    .join('')}`
}

/** Words in at most that many lines of that many columns; long ones are broken, and the last line is cut. */
export function wrap(text: string, columns: number, lines: number = Number.POSITIVE_INFINITY): string[] {
  const made: string[] = []
  let line = ''
  const words = text.split(' ').flatMap((word) => pieces(word, columns))
  for (const [index, word] of words.entries()) {
    const longer = line === '' ? word : `${line} ${word}`
    if (width(longer) <= columns) {
      line = longer
      continue
    }
    if (made.length + 1 === lines) return [...made, cut(`${line} ${words.slice(index).join(' ')}`, columns)]
    made.push(line)
    line = word
  }
  return [...made, line]
}

function pieces(word: string, columns: number): string[] {
  const made: string[] = []
  let [piece, used] = ['', 0]
  for (const { segment } of graphemes.segment(word)) {
    const own = columnsOf(segment)
    if (used + own > columns) {
      made.push(piece)
      piece = ''
      used = 0
    }
    piece += segment
    used += own
  }
  return [...made, piece]
}
