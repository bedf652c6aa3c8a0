import { children, type DerElement, encoded } from '../der/reader.js'

/** The elements of a SET OF as encoded; none where it is absent. */
export const elementsOf = (set: DerElement | undefined): Uint8Array[] =>
  set === undefined ? [] : children(set).map(encoded)

/** Each of these encodings once, in the order first met. */
export const distinct = (elements: readonly Uint8Array[]): Uint8Array[] => [
  ...new Map(elements.map((element) => [Buffer.from(element).toString('base64'), element])).values(),
]
