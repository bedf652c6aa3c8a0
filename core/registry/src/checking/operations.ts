export { CheckSignature } from './check-signature.js'
export type { CheckedFiles } from './checked-files.js'
export type { CheckSignatureRequest } from './files-to-check.js'
