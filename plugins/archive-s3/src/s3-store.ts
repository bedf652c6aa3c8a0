import {
  ArchiveFull,
  type ArchiveStore,
  type ByteRange,
  isArchiveKey,
  type ListedObject,
  piecesOf,
  type StoredObject,
} from '@signed-registry/core'
import type { ArchiveS3Options } from './options.js'
import { elements, refusal, S3Client, S3Error } from './s3-client.js'

/** Bytes of one request, buffered for retries. */
const PART_BYTES = 16 * 1024 * 1024
/** The most parts of one upload that S3 takes. */
const MAX_PARTS = 10_000
const HAS_NO_ROOM = new Set(['QuotaExceeded', 'InsufficientStorage'])

/** Keeps each object under its key in one bucket. Up to 16 MiB go by one call, more by a multipart upload. */
export class S3Store implements ArchiveStore {
  private readonly client: S3Client
  private readonly prefix: string

  constructor(options: ArchiveS3Options) {
    this.client = new S3Client(options)
    this.prefix = options.prefix ?? ''
  }

  async put(key: string, bytes: AsyncIterable<Uint8Array>, size: number): Promise<void> {
    assertKey(key)
    if (size > PART_BYTES * MAX_PARTS) throw new RangeError(`An object has at most ${PART_BYTES * MAX_PARTS} bytes`)
    try {
      if (size > PART_BYTES) await this.putParts(key, bytes, size)
      else await this.client.text({ method: 'PUT', key, body: await exactly(bytes, size) }, 200)
    } catch (error) {
      const isFull = error instanceof S3Error && (error.status === 507 || HAS_NO_ROOM.has(error.code ?? ''))
      throw isFull ? new ArchiveFull(error) : error
    }
  }

  async get(key: string, range?: ByteRange): Promise<StoredObject | undefined> {
    assertKey(key)
    const head = await this.client.call({ method: 'HEAD', key })
    head.body.resume()
    if (head.status === 404) return undefined
    if (head.status !== 200) throw await refusal({ method: 'HEAD' }, head)
    const size = Number(head.headers['content-length'])
    const { start = 0, end = size } = range ?? {}
    return { size, bytes: this.read(key, start, Math.min(end, size)) }
  }

  async delete(key: string): Promise<void> {
    assertKey(key)
    for (const { uploadId, name } of await this.unfinished(key)) {
      if (name === key) await this.abort(key, uploadId)
    }
    await this.client.text({ method: 'DELETE', key }, 200, 204, 404)
  }

  async *list(): AsyncGenerator<ListedObject> {
    let query: Record<string, string> = { 'list-type': '2', prefix: this.prefix }
    for (;;) {
      const { text } = await this.client.text({ method: 'GET', query }, 200)
      for (const contents of text.match(/<Contents>.*?<\/Contents>/gs) ?? []) {
        const key = elements(contents, 'Key')[0]?.slice(this.prefix.length) ?? ''
        if (isArchiveKey(key)) yield { key, size: Number(elements(contents, 'Size')[0]) }
      }
      const next = elements(text, 'NextContinuationToken')[0]
      if (elements(text, 'IsTruncated')[0] !== 'true' || next === undefined) return
      query = { ...query, 'continuation-token': next }
    }
  }

  private async *read(key: string, start: number, end: number): AsyncGenerator<Uint8Array> {
    if (start >= end) return
    const range = `bytes=${start}-${end - 1}`
    const answer = await this.client.call({ method: 'GET', key, headers: { range } })
    if (answer.status !== 206 && answer.status !== 200) throw await refusal({ method: 'GET' }, answer)
    // A service without range support answers 200 with the complete object.
    if (answer.status === 200 && Number(answer.headers['content-length']) !== end - start) {
      answer.body.destroy()
      throw new S3Error('The object store did not give the range', answer.status, undefined)
    }
    for await (const chunk of answer.body) yield chunk
  }

  private async putParts(key: string, bytes: AsyncIterable<Uint8Array>, size: number): Promise<void> {
    const begun = await this.client.text({ method: 'POST', key, query: { uploads: '' } }, 200)
    const uploadId = elements(begun.text, 'UploadId')[0]
    if (uploadId === undefined) throw new S3Error('The object store began no upload', begun.status, undefined)
    try {
      const tags = await this.sendParts(key, uploadId, bytes, size)
      const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
      const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
      const headers = { 'content-type': 'application/xml' }
      const done = await this.client.text({ method: 'POST', key, query: { uploadId }, body, headers }, 200)
      // CompleteMultipartUpload may fail after the status 200 was sent.
      const [code] = elements(done.text, 'Code')
      if (code !== undefined) throw new S3Error(`The object store did not complete: ${code}`, done.status, code)
    } catch (error) {
      await this.abort(key, uploadId).catch(() => undefined)
      throw error
    }
  }

  /** Sends one part while the next one is buffered; returns their ETags. */
  private async sendParts(
    key: string,
    uploadId: string,
    bytes: AsyncIterable<Uint8Array>,
    size: number,
  ): Promise<string[]> {
    const tags: string[] = []
    let sent = 0
    let sending: Promise<void> = Promise.resolve()
    for await (const body of piecesOf(bytes, PART_BYTES)) {
      await sending
      sent += body.length
      if (sent > size) break
      const partNumber = String(tags.push('') || 1)
      sending = this.client
        .text({ method: 'PUT', key, query: { partNumber, uploadId }, body }, 200)
        .then(({ headers }) => {
          tags[Number(partNumber) - 1] = headers.etag ?? ''
        })
      sending.catch(() => undefined)
    }
    await sending
    if (sent !== size) throw wrongSize(size)
    return tags
  }

  private async unfinished(key: string): Promise<{ name: string; uploadId: string }[]> {
    const query = { uploads: '', prefix: this.prefix + key }
    const { text } = await this.client.text({ method: 'GET', query }, 200)
    return (text.match(/<Upload>.*?<\/Upload>/gs) ?? []).flatMap((upload) => {
      const [[name], [uploadId]] = [elements(upload, 'Key'), elements(upload, 'UploadId')]
      return name && uploadId ? [{ name: name.slice(this.prefix.length), uploadId }] : []
    })
  }

  private async abort(key: string, uploadId: string): Promise<void> {
    await this.client.text({ method: 'DELETE', key, query: { uploadId } }, 200, 204, 404)
  }
}

function assertKey(key: string): void {
  if (!isArchiveKey(key)) throw new TypeError('The key of an object is 32 characters of 0-9 and a-f')
}

const wrongSize = (size: number) => new RangeError(`${size} bytes were announced, and others came`)

async function exactly(bytes: AsyncIterable<Uint8Array>, size: number): Promise<Buffer> {
  const whole = Buffer.allocUnsafe(size)
  let filled = 0
  for await (const chunk of bytes) {
    if (filled + chunk.length > size) throw wrongSize(size)
    whole.set(chunk, filled)
    filled += chunk.length
  }
  if (filled !== size) throw wrongSize(size)
  return whole
}
