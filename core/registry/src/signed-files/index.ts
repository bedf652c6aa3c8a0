export { signedFilesArea } from './area.js'
export { fileErrors } from './errors.js'
export { type FoundFile, type OpenFile, SignedFileReader } from './ports.js'
