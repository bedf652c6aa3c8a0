const COLUMNS = 80

/** Text of others as one line without anything that turns, hides or breaks it, so that it cannot pass for ours. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()

/** Lines of at most 80 columns; a word that is longer stands alone. Text begins with two spaces at most, commands with four. */
export function paragraph(text: string, indent = '', next = indent): string[] {
  const lines: string[] = []
  let line = indent
  for (const word of text.split(' ')) {
    const longer = line.trim() === '' ? indent + word : `${line} ${word}`
    if (longer.length > COLUMNS && line.trim() !== '') {
      lines.push(line)
      line = next + word
    } else line = longer
  }
  return [...lines, line]
}

/** A paragraph with text of others: no line of it but the first begins as one of ours does. */
export const quoted = (text: string, indent = ''): string[] => paragraph(text, indent, '   | ')

/** A command of several lines, as it is copied. */
export const command = (lines: readonly string[]): string[] =>
  lines.map((line, index) => `${index === 0 ? '    ' : '      '}${line}${index < lines.length - 1 ? ' \\' : ''}`)

/** The name of a language, which a reader looks for. */
export const banner = (text: string): string[] => ['='.repeat(COLUMNS), text, '='.repeat(COLUMNS), '']

/** A title with a line under it. */
export const heading = (text: string): string[] => [text, '-'.repeat(text.length), '']
