import { area } from '../kernel/part.js'
import { CheckSigned } from './check-signed.js'
import * as operations from './operations.js'

export const checkingArea = area({ name: 'checking', services: [CheckSigned], operations: Object.values(operations) })
