import type { IncomingMessage } from 'node:http'
import { MessageChannel } from 'node:worker_threads'
import {
  type BodyStream,
  type Ledger,
  originalErrors,
  requestErrors,
  type Taken,
  type Upload,
} from '@signed-registry/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { RESERVED_PACE_FACTOR } from '../limits/pace.js'
import { takeUpload } from '../limits/shares.js'

/** Describes an upload in OpenAPI; the value of `request.body` is an `Upload`. */
export const UploadBody = Type.Unsafe<Upload>({ type: 'string', format: 'binary' })

/** Describes a body of any type in OpenAPI. */
export const AnyBody = Type.Unsafe<BodyStream>({ type: 'string', format: 'binary' })

const OCTETS = 'application/octet-stream'
/** Types of bodies that are originals; clients of the production service say that a PDF is one. */
const TYPES = [OCTETS, 'application/pdf']

/**
 * Makes this scope accept originals with a `Content-Length` of at most `limit` bytes. Where the stored original may be used
 * instead, the JSON `{}` means none, as clients of the production service send it; elsewhere JSON is refused.
 */
export function acceptUploads(app: FastifyInstance, limit: number, ledger: Ledger): void {
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', (request, reply, done) => {
    takeUpload(request, reply, ledger)
    const size = declaredSize(request)
    if (size === undefined) done(requestErrors.error('contentLengthNotSet'))
    else if (size > limit) done(requestErrors.error('bodyTooLarge', { limit }))
    else if (!takes(request)) done(requestErrors.error('unsupportedMediaType', { expected: OCTETS }))
    else done()
  })
  app.addContentTypeParser(TYPES, (request: FastifyRequest, payload: IncomingMessage, done) => {
    const size = declaredSize(request) ?? 0
    const hurry = () => app.exchanges.expectBody(request.raw, RESERVED_PACE_FACTOR)
    const upload: Upload = { size, stream: Object.assign(countedBytes(payload, size), { release, hurry }) }
    done(null, upload)
  })
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: 1024 },
    (request, body: Buffer, done) => {
      const none: Upload = { size: 0, stream: [] }
      const { orStored } = request.routeOptions.config
      if (orStored && body.toString('latin1').trim() === '{}') done(null, none)
      else done(requestErrors.error('unsupportedMediaType', { expected: OCTETS }))
    },
  )
  checkNoBodies(app)
}

/** Checks the type of a body on routes that demand one; otherwise the parsers of the scope decide. */
function takes({ headers, routeOptions }: FastifyRequest): boolean {
  const { 'content-type': type } = headers
  return (
    type !== undefined && (!routeOptions.config.onlyOctets || /^application\/octet-stream\s*(;|$)/i.test(type.trim()))
  )
}

/**
 * Makes this scope accept bodies of any type without reading them: the value of `request.body` is a `BodyStream`, which
 * counts as an upload of its caller while it is read.
 */
export function acceptStreams(app: FastifyInstance, ledger: Ledger): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage, done) => {
    const hurry = () => app.exchanges.expectBody(request.raw, RESERVED_PACE_FACTOR)
    const bytes = bytesOf(payload, () => ledger.take('uploads', request.caller, 1))
    const body: BodyStream = {
      type: request.headers['content-type'],
      size: declaredSize(request),
      stream: Object.assign(bytes, { hurry }),
    }
    done(null, body)
  })
  checkNoBodies(app)
}

/** A stream cannot be validated by a JSON schema. */
function checkNoBodies(app: FastifyInstance): void {
  const others = app.validatorCompiler
  app.setValidatorCompiler((route) => (route.httpPart === 'body' || others === undefined ? () => true : others(route)))
}

/** Reads on demand. Destroying a request closes its socket: after a reader that stops early, nothing could be answered. */
async function* bytesOf(source: IncomingMessage, begin: () => Taken): AsyncGenerator<Uint8Array> {
  const taken = begin()
  try {
    yield* source.iterator({ destroyOnReturn: false })
  } finally {
    taken.release()
  }
}

/** Bytes of a body by its Content-Length. */
export function declaredSize(request: FastifyRequest): number | undefined {
  const text = request.headers['content-length']
  if (text === undefined || !/^\d{1,15}$/.test(text)) return undefined
  return Number(text)
}

/** Smallest chunk worth releasing: for smaller ones it costs more than it saves. */
const MIN_RELEASED_BYTES = 16_384

/** A port without a peer: a buffer that is transferred to it is freed. */
const { port1: nowhere } = new MessageChannel()
nowhere.close()

/**
 * Frees the memory of a chunk at once. V8 would count it until the next collection, and run a full collection for every
 * 32 MiB of an upload.
 */
function release({ buffer, byteLength }: Uint8Array): void {
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
  if (isWhole && byteLength >= MIN_RELEASED_BYTES) nowhere.postMessage(undefined, [buffer])
}

/** Passes the bytes on; fails with `processedSizeDiffers` unless they are as many as declared, also when the connection breaks off. */
async function* countedBytes(source: IncomingMessage, size: number): AsyncGenerator<Uint8Array> {
  let received = 0
  // A small body usually arrives with its head: reading it at once is cheaper than waiting for each chunk.
  if (!source.complete) await new Promise(setImmediate)
  const whole: Uint8Array | null = source.complete && source.readableLength === size ? source.read() : null
  if (whole?.length === size) {
    source.resume()
    yield whole
    return
  }
  try {
    // Destroying a request closes its socket: after a reader that stops early, nothing could be answered.
    for await (const chunk of source.iterator({ destroyOnReturn: false })) {
      received += chunk.length
      if (received > size) break
      yield chunk
    }
  } catch (cause) {
    throw originalErrors.error('processedSizeDiffers', { declared: size, received }, cause)
  }
  if (received !== size) throw originalErrors.error('processedSizeDiffers', { declared: size, received })
}
