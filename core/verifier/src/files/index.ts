export { readManifest } from '../asic/manifest.js'
export { documentIn } from '../asic/read-asic.js'
export { type ByteSource, sourceOf } from '../byte-source.js'
export { lastSignedEnd } from '../pdf/read-pdf.js'
export {
  coverageOver,
  documentsOver,
  type JoinedFile,
  type JudgedInFile,
  joinFile,
  type SignedDocument,
} from './join-file.js'
export { type JudgedTimeStamp, judgeTimeStamp } from './judge-time-stamp.js'
export { readSignedFile } from './read-signed-file.js'
export {
  alongside,
  documentsFor,
  type FileSigner,
  type FileVerdict,
  judgeFile,
  type VerifyFileOptions,
  verifyFile,
} from './verify-file.js'
