import { area } from '../kernel/part.js'
import { CheckSignature } from './check-signature.js'
import { CheckSigned } from './check-signed.js'

export const checkingArea = area({ name: 'checking', services: [CheckSigned], operations: [CheckSignature] })
