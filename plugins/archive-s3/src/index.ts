export { archiveS3, parseArchiveUrl } from './archive-s3.js'
export { ArchiveS3Options } from './options.js'
export { S3Store } from './s3-store.js'
