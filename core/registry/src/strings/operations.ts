export { GetStrings } from './get-strings.js'
export type { Strings } from './schema.js'
