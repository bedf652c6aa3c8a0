export { GetLog, type PublicLog } from './get-log.js'
