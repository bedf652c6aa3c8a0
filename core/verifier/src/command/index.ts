export { type Console, UsageError } from './console.js'
export { verifyCommand } from './verify-command.js'
