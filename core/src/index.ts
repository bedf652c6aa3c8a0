export { anonymous, type Caller } from './identity/caller.js'
export { Clock, systemClock } from './kernel/clock.js'
export {
  defineErrors,
  type ErrorCatalogue,
  type ErrorDetails,
  type ErrorKind,
  type ErrorText,
  RegistryError,
} from './kernel/error.js'
export { newId } from './kernel/ids.js'
export { definePlugin, type Plugin } from './kernel/plugin.js'
export { type Token, token } from './kernel/token.js'
