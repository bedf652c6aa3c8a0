import { drawable, type Style, widthOf } from './fonts.js'
import { plain, type Run, runsOf, type Said, slice } from './said.js'

/** Wraps a text to this width; a longer word is broken. */
export function linesOf(said: Said, style: Style, width: number): (readonly Run[])[] {
  const runs = runsOf(said).map(({ text, lang }) => ({ text: clean(text), lang }))
  const whole = plain(runs)
  let end = 0
  return wrapped(whole, width, (part) => widthOf(part, style)).map((line) => {
    // Between two lines stands nothing, or the space or end of paragraph that the break took.
    const start = whole.indexOf(line, end)
    end = start + line.length
    return slice(runs, start, end)
  })
}

function wrapped(text: string, width: number, measure: (text: string) => number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = []
    let [line, length] = ['', 0]
    for (const word of paragraph.split(' ')) {
      const more = line === '' ? word : ` ${word}`
      const longer = length + measure(more)
      if (longer <= width) [line, length] = [line + more, longer]
      else {
        if (line !== '') lines.push(line)
        const pieces = cut(word, width, measure)
        lines.push(...pieces.slice(0, -1))
        line = pieces.at(-1) ?? ''
        length = measure(line)
      }
    }
    return [...lines, line]
  })
}

function cut(word: string, width: number, measure: (text: string) => number): string[] {
  if (measure(word) <= width) return [word]
  const pieces: string[] = []
  let piece = ''
  for (const character of word) {
    if (piece !== '' && measure(piece + character) > width) {
      pieces.push(piece)
      piece = ''
    }
    piece += character
  }
  return [...pieces, piece]
}

/** Replaces control and format characters, bidirectional marks among them, by spaces, and what the fonts do not have. */
const clean = (text: string) => drawable(text.replace(/\r\n?|[\u2028\u2029]/gu, '\n').replace(/[^\P{C}\n]/gu, ' '))
