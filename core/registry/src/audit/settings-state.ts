import { createHash } from 'node:crypto'

/** The JSON of settings with the fields of objects sorted: equal settings have one text. */
export const stateText = (state: unknown): string => JSON.stringify(state, sorted)

/** Settings as JSON stores them, with the fields of objects sorted. */
export const plainState = (state: unknown): unknown => JSON.parse(stateText(state))

/** SHA-256 of the text of settings, in lower-case hexadecimal. */
export const stateHash = (state: unknown): string => createHash('sha256').update(stateText(state)).digest('hex')

const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value
