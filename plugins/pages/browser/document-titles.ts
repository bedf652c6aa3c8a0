import { titleOf } from './titles.js'

/** Titles that a template has for the documents of a package, in their order. */
let ofTemplate: readonly string[] = []

/** From now on files get the titles of a template. */
export function useTitles(titles: readonly string[]): void {
  ofTemplate = titles
  dispatchEvent(new Event('document-titles'))
}

/** The title of the document that a file of a package becomes. */
export const documentTitle = (file: File, index: number): string => titleOf(ofTemplate[index] ?? file.name)
