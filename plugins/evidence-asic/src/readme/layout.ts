const COLUMNS = 80

/** Text of others as one line without anything that turns, hides or breaks it, so that it cannot pass for ours. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()

/** Lines of at most 80 columns; a word that is longer stands alone. Text begins with two spaces at most, commands with four. */
export function paragraph(text: string, indent = ''): string[] {
  const lines: string[] = []
  let line = indent
  for (const word of text.split(' ')) {
    const longer = line.trim() === '' ? indent + word : `${line} ${word}`
    if (longer.length > COLUMNS && line.trim() !== '') {
      lines.push(line)
      line = indent + word
    } else line = longer
  }
  return [...lines, line]
}

/** A command of several lines, as it is copied. */
export const command = (lines: readonly string[]): string[] =>
  lines.map((line, index) => `${index === 0 ? '    ' : '      '}${line}${index < lines.length - 1 ? ' \\' : ''}`)

/** The name of a language, which a reader looks for. */
export const banner = (text: string): string[] => ['='.repeat(COLUMNS), text, '='.repeat(COLUMNS), '']

/** A title with a line under it. */
export const heading = (text: string): string[] => [text, '-'.repeat(text.length), '']
