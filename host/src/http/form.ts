import type { IncomingMessage } from 'node:http'
import { idempotencyErrors, type Ledger, originalErrors, requestErrors, type Upload } from '@signed-registry/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { takeUpload } from '../limits/shares.js'
import { ByteSource } from './byte-source.js'
import { type JsonReader, jsonReader } from './json-body.js'
import { declaredSize } from './upload.js'

/** A request in JSON together with the original of a document. */
export interface Form {
  readonly request: unknown
  readonly original: Upload
}

export const FORM_TYPE = 'multipart/form-data'
/** Largest JSON part: the original is not in it. */
export const FORM_REQUEST_BYTES = 2 ** 20
/** Largest header of a part, in bytes. */
const HEADER_BYTES = 4096
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i

/**
 * Makes this scope accept multipart forms too (RFC 7578): a part `request`, JSON, then a part `original` of at most `limit`
 * bytes, and nothing else. The original is not searched for the boundary: everything around it has a known length.
 */
export function acceptForms(app: FastifyInstance, limit: number, ledger: Ledger): void {
  const readJson = jsonReader(app)
  // Before any of the body is read.
  app.addHook('onRequest', (request, reply, done) => {
    if (!isForm(request)) return done()
    takeUpload(request, reply, ledger)
    const hasKey = request.headers['idempotency-key'] !== undefined
    done(hasKey ? idempotencyErrors.error('invalidIdempotencyKey') : undefined)
  })
  app.addContentTypeParser(FORM_TYPE, (request: FastifyRequest, payload: IncomingMessage) =>
    readForm(request, payload, readJson, limit),
  )
}

export const isForm = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.toLowerCase().startsWith(FORM_TYPE) ?? false

async function readForm(
  request: FastifyRequest,
  payload: IncomingMessage,
  readJson: JsonReader,
  limit: number,
): Promise<Form> {
  const size = declaredSize(request)
  if (size === undefined) throw requestErrors.error('contentLengthNotSet')
  const [, quoted, plain] = BOUNDARY.exec(request.headers['content-type'] ?? '') ?? []
  const boundary = `--${quoted ?? plain ?? ''}`
  const source = new ByteSource(payload)
  await readHead(source, `${boundary}\r\n`, 'request')
  const json = await source.upTo(`\r\n${boundary}\r\n`, FORM_REQUEST_BYTES)
  if (json === undefined) throw refused('request')
  const read = await readJson(request, json)
  request.formRequestIsRead?.(json.length)
  await readHead(source, '', 'original')
  const end = `\r\n${boundary}--\r\n`
  const originalSize = size - source.taken - end.length
  if (originalSize < 0) throw refused('original')
  if (originalSize > limit) throw requestErrors.error('bodyTooLarge', { limit })
  return { request: read, original: { size: originalSize, stream: original(source, originalSize, end) } }
}

/** Reads the header of the next part, which must have this name. */
async function readHead(source: ByteSource, start: string, name: string): Promise<void> {
  const head = await source.upTo('\r\n\r\n', HEADER_BYTES)
  const text = head?.toString('latin1') ?? ''
  const isIt = new RegExp(`^content-disposition:\\s*form-data\\s*;(?:.*;)?\\s*name="?${name}"?\\s*(?:;|$)`, 'im')
  if (!text.startsWith(start) || !isIt.test(text)) throw refused(name)
}

/** The bytes of the original; throws after them unless the form ends there. */
async function* original(source: ByteSource, size: number, end: string): AsyncGenerator<Uint8Array> {
  let received = 0
  try {
    for await (const chunk of source.next(size)) {
      received += chunk.length
      yield chunk
    }
  } catch (cause) {
    throw originalErrors.error('processedSizeDiffers', { declared: size, received }, cause)
  }
  if (received !== size) throw originalErrors.error('processedSizeDiffers', { declared: size, received })
  const last = await source.upTo(end, 0)
  if (last?.length !== 0) throw refused('end')
}

const refused = (part: string) => requestErrors.error('formNotParsed', { part })
