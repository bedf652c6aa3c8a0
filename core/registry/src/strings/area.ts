import { area } from '../kernel/part.js'
import { GetStrings } from './get-strings.js'

export const stringsArea = area({
  name: 'strings',
  operations: [GetStrings],
})
