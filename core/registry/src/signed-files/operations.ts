export { CheckFile } from './check-file.js'
export type { CheckedFile } from './checked-file.js'
