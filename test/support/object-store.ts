import type { ArchiveS3Options } from '@signed-registry/archive-s3'

/** A private object store that speaks S3: one copy of everything, its own folder and ports. */
export interface ObjectStore {
  /** A new bucket in it. */
  createBucket(): Promise<ArchiveS3Options>
  /** Ends its processes, as a failure of the machine would; `start` lets them begin again on the same data. */
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}
