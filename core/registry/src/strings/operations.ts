export { GetStrings } from './get-strings.js'
