import type { CardLanguage } from '@signed-registry/core'

/** A part of a text, in a language that readers aloud should know where it is not that of the card. */
export interface Run {
  readonly text: string
  readonly lang?: CardLanguage | undefined
}

/** A text of a card: plain, or of runs in several languages. */
export type Said = string | readonly Run[]

/** The runs of a text. */
export const runsOf = (said: Said): readonly Run[] => (typeof said === 'string' ? [{ text: said }] : said)

/** The text without its languages. */
export const plain = (said: Said): string => (typeof said === 'string' ? said : said.map(({ text }) => text).join(''))

/** Texts one after another. */
export const say = (...parts: readonly Said[]): readonly Run[] =>
  parts.flatMap(runsOf).filter(({ text }) => text !== '')

/** Texts with something between them. */
export const sayWith = (between: string, parts: readonly Said[]): readonly Run[] =>
  say(...parts.flatMap((part, n) => (n === 0 ? [part] : [between, part])))

/** The runs of the characters from `start` to `end`. */
export function slice(said: Said, start: number, end: number): readonly Run[] {
  let at = 0
  return runsOf(said).flatMap(({ text, lang }) => {
    const part = text.slice(Math.max(0, start - at), Math.max(0, end - at))
    at += text.length
    return part === '' ? [] : [{ text: part, lang }]
  })
}
