export { ErrorTexts } from './errors-catalogue.js'
export { GetStrings } from './get-strings.js'
export { stringsModule } from './module.js'
export { Strings } from './schema.js'
