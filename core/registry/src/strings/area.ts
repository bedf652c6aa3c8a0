import { area } from '../kernel/part.js'
import * as operations from './operations.js'

export const stringsArea = area({
  name: 'strings',
  operations: Object.values(operations),
})
