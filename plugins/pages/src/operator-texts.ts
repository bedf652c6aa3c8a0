import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LANGUAGES, type Language } from './language.js'

/** What an operator may write a text about. */
export const TOPICS = ['help', 'contact', 'privacy'] as const
export type Topic = (typeof TOPICS)[number]

/** A text in plain words: paragraphs of lines. */
export interface OperatorText {
  readonly language: Language
  readonly paragraphs: readonly (readonly string[])[]
}

const MAX_BYTES = 64 * 1024

/** The texts of an operator: `TOPIC.LANGUAGE.txt` in a folder, read once. */
export class OperatorTexts {
  private readonly texts = new Map<string, OperatorText>()

  constructor(folder: string | undefined) {
    if (folder === undefined) return
    for (const topic of TOPICS)
      for (const language of LANGUAGES) {
        const path = join(folder, `${topic}.${language}.txt`)
        if (existsSync(path)) this.texts.set(`${topic}.${language}`, { language, paragraphs: paragraphsOf(path) })
      }
  }

  /** The text in this language, or else in another one. */
  about(topic: Topic, language: Language): OperatorText | undefined {
    for (const one of [language, ...LANGUAGES]) {
      const found = this.texts.get(`${topic}.${one}`)
      if (found !== undefined) return found
    }
    return undefined
  }
}

function paragraphsOf(path: string): string[][] {
  const bytes = readFileSync(path)
  if (bytes.length > MAX_BYTES) throw new TypeError(`${path} has more than ${MAX_BYTES} bytes`)
  const text = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim()
  return text.split(/\r?\n\s*\r?\n/).map((paragraph) => paragraph.split(/\r?\n/).map((line) => line.trim()))
}
