export { createPlugin, KINDS, type Kind } from './create-plugin.js'
export { runCreate } from './run-create.js'
