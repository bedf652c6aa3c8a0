export { Clock, systemClock } from './kernel/clock.js'
export {
  type ErrorCatalogue,
  type ErrorDetails,
  type ErrorKind,
  type ErrorText,
  RegistryError,
} from './kernel/error.js'
export { definePlugin, type Plugin } from './kernel/plugin.js'
export { type Token, token } from './kernel/token.js'
