import type { Check } from '@signed-registry/core'
import type { ArchiveS3Options } from './options.js'
import { S3Client, S3Error } from './s3-client.js'

const ADVICE: Readonly<Record<string, string>> = {
  NoSuchBucket: 'make the bucket, or name another one',
  InvalidAccessKeyId: 'give the key that the object store knows',
  SignatureDoesNotMatch: 'give the secret of the key',
  RequestTimeTooSkewed: 'set the clock of this machine',
  AccessDenied: 'let the key list, read, write and delete in the bucket',
}

/** Asks the object store for a list of one object. All hosts share the store, and serve all but originals without it. */
export const checkStore = (options: ArchiveS3Options): Check => ({
  name: 'archive',
  isRequired: false,
  async check(signal) {
    const { endpoint, bucket, prefix = '' } = options
    const client = new S3Client({ ...options, attempts: 1 })
    signal.addEventListener('abort', () => client.close(), { once: true })
    try {
      await client.text({ method: 'GET', query: { 'list-type': '2', 'max-keys': '1', prefix } }, 200)
      return { state: 'ok', text: `${endpoint} answers for the bucket ${bucket}` }
    } catch (error) {
      const code = error instanceof S3Error ? error.code : undefined
      const advice = ADVICE[code ?? ''] ?? 'see whether its address is right and it runs'
      const why = error instanceof Error ? error.message : String(error)
      return { state: 'fail', text: `${endpoint}, bucket ${bucket}: ${why}; ${advice}` }
    } finally {
      client.close()
    }
  },
})
