import type { SignatureFacts } from '../signatures/index.js'

const WORDS_MOST = 500
const LONGEST = 64
const NAMES = new Set(['2.5.4.3', '2.5.4.4', '2.5.4.42', '2.5.4.10'])

/** What is shorter is inside too many words to be looked up by it. */
export const SHORTEST_ENDING = 2

/** The words of a text, each once, in the form in which they are compared: composed, in lower case. */
export function wordsOf(...texts: readonly string[]): string[] {
  const words = texts.flatMap((text) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u),
  )
  const cut = words.map((word) => (word.length <= LONGEST ? word : [...word].slice(0, LONGEST).join('')))
  return [...new Set(cut.filter((word) => word !== ''))].slice(0, WORDS_MOST)
}

/** The words by which a document is found when it is registered. */
export const wordsOfDocument = (title: string, description: string, facts: SignatureFacts | undefined): string[] => [
  ...new Set([...wordsOf(title, description), ...(facts ? wordsOfSignature(facts) : [])]),
]

/** The words by which a signature is found: names, IIN, BIN, organization. */
export function wordsOfSignature({ userId, businessId = '', subjectStructure }: SignatureFacts): string[] {
  const names = subjectStructure.flat().filter(({ oid, valueInB64 }) => NAMES.has(oid) && !valueInB64)
  return wordsOf(...names.map(({ value }) => value), userId, businessId)
}

/** The word itself and its endings of two characters and more. Whatever is inside the word begins one of them. */
export function endingsOf(word: string): string[] {
  const characters = [...word]
  const starts = characters.map((_, start) => start).slice(0, Math.max(1, characters.length - SHORTEST_ENDING + 1))
  return [...new Set(starts.map((start) => characters.slice(start).join('')))]
}
