export { stringsArea } from './area.js'
export { consts as stringConsts } from './consts.js'
export { GetStrings } from './get-strings.js'
export { Strings } from './schema.js'
