export { CheckFile } from './check-file.js'
export type { CheckedFile } from './checked-file.js'
export { RegisterFile } from './register-file.js'
export type { RegisteredFile } from './registered-file.js'
