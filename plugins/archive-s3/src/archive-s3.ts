import { ArchiveStore, Check, definePlugin, provideValue } from '@signed-registry/core'
import { checkStore } from './check-store.js'
import { ArchiveS3Options } from './options.js'
import { S3Store } from './s3-store.js'

/** Plugin: keeps originals in an S3-compatible object store. */
export const archiveS3 = definePlugin({
  name: 'archive-s3',
  options: ArchiveS3Options,
  parts: (options) => ({
    provides: [provideValue(ArchiveStore, new S3Store(options)), provideValue(Check, checkStore(options))],
  }),
})

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Reads `s3://key:secret@host/bucket/prefix?region=&style=path|virtual&tls=off`. What the address leaves out is taken from
 * AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN and AWS_REGION. Throws a `TypeError` that repeats no secret.
 */
export function parseArchiveUrl(address: string, variables: Variables = {}): ArchiveS3Options {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 's3:' || url.host === '') throw new TypeError('not of the form s3://key:secret@host/bucket')
  const [bucket = '', ...rest] = url.pathname.slice(1).split('/')
  const accessKeyId = decodeURIComponent(url.username) || variables.AWS_ACCESS_KEY_ID
  const secretAccessKey = decodeURIComponent(url.password) || variables.AWS_SECRET_ACCESS_KEY
  if (!accessKeyId || !secretAccessKey) {
    throw new TypeError('no key and secret in it, nor in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  }
  const region = url.searchParams.get('region') ?? variables.AWS_REGION
  const style = url.searchParams.get('style') ?? 'path'
  const tls = url.searchParams.get('tls') ?? 'on'
  if ((style !== 'path' && style !== 'virtual') || (tls !== 'on' && tls !== 'off')) {
    throw new TypeError('style takes path or virtual, tls takes on or off')
  }
  const prefix = rest.join('/').replace(/\/?$/, (end) => (rest.join('') === '' ? '' : end || '/'))
  // A token belongs to the keys that it came with.
  const sessionToken = url.username === '' ? variables.AWS_SESSION_TOKEN : undefined
  return {
    endpoint: `${tls === 'on' ? 'https' : 'http'}://${url.host}`,
    bucket,
    ...(prefix && { prefix }),
    ...(region && { region }),
    accessKeyId,
    secretAccessKey,
    ...(sessionToken && { sessionToken }),
    style,
  }
}
