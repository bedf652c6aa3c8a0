export { type SignedFilesOptions, signedFiles } from './signed-files.js'
