import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { BodyStream } from '../kernel/upload.js'
import { procedureErrors } from './errors.js'

const SIGN_METHOD = 'CMS_SIGN_ONLY'
/** Bytes of signatures that are read into memory: those of the largest package with their evidence. */
const MAX_SIGNED = 16 * 2 ** 20
/** Size above which memory is reserved, and its multiple: bytes, text, parsed JSON, parsed signatures. */
const [MIN_RESERVED, MEMORY_FACTOR] = [16 * 1024, 4]
const CANCELED = /"status"\s*:\s*"CANCELED"/
/** Longer than the searched text, so that a cut between chunks cannot hide it. */
const OVERLAP = 256
const MAX_ID = 64

/** What the app returns for documents to be signed detached. */
const Returned = Type.Object({
  signMethod: Type.Optional(Type.String()),
  status: Type.Optional(Type.String()),
  documentsToSign: Type.Array(
    Type.Object({
      id: Type.Union([Type.Integer(), Type.String({ maxLength: MAX_ID })]),
      signMethod: Type.Optional(Type.String()),
      document: Type.Optional(Type.Object({ file: Type.Optional(Type.Object({ data: Type.String() })) })),
    }),
  ),
})
type Returned = Static<typeof Returned>

/** Signatures in the order of the documents, or the user's refusal. */
export type Outcome = { readonly canceled: true } | { readonly canceled: false; readonly signatures: readonly string[] }

/** Bytes of memory to reserve for reading what the app returned; 0 for a small body. */
export function memoryFor({ size = MAX_SIGNED }: BodyStream): number {
  return size > MIN_RESERVED ? MEMORY_FACTOR * Math.min(size, MAX_SIGNED) : 0
}

/**
 * Reads what the app returned for these documents. A refusal contains the originals, however large, so such a body is only
 * searched. Rejects with `appExchangeFailed` for anything but one signature for each document, in order.
 */
export async function readReturned(body: BodyStream, ids: readonly string[], limit: number): Promise<Outcome> {
  const text = await readAll(body, limit)
  if (text === 'canceled') return { canceled: true }
  const returned = parse(text)
  if (returned.status === 'CANCELED') return { canceled: true }
  return { canceled: false, signatures: signaturesIn(returned, ids) }
}

function signaturesIn({ signMethod, documentsToSign }: Returned, ids: readonly string[]): string[] {
  if (documentsToSign.length !== ids.length)
    throw failed('count', { documents: ids.length, returned: documentsToSign.length })
  return documentsToSign.map(({ id, signMethod: own, document }, index) => {
    if (String(id) !== ids[index]) throw failed('otherDocuments', { index })
    const method = signMethod === 'MIX_SIGN' ? own : signMethod
    if (method !== SIGN_METHOD) throw failed('signMethod', { index })
    const signature = document?.file?.data
    if (signature === undefined || signature === '') throw failed('noSignature', { index })
    return signature
  })
}

function parse(text: string): Returned {
  try {
    const value: unknown = JSON.parse(text)
    if (Value.Check(Returned, value)) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw failed('malformed')
}

/** The body as text; a body too large for signatures is only searched. */
async function readAll({ stream }: BodyStream, limit: number): Promise<string> {
  const chunks: Uint8Array[] = []
  stream.hurry?.()
  let size = 0
  let isCanceled = false
  let seen = ''
  for await (const chunk of stream) {
    size += chunk.length
    if (size > limit) throw failed('tooLarge', { limit })
    if (size <= MAX_SIGNED) chunks.push(chunk)
    else chunks.length = 0
    const text = seen + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1')
    isCanceled ||= CANCELED.test(text)
    seen = text.slice(-OVERLAP)
  }
  if (size <= MAX_SIGNED) return Buffer.concat(chunks).toString('utf8')
  if (isCanceled) return 'canceled'
  throw failed('tooLarge', { limit: MAX_SIGNED })
}

const failed = (reason: string, details: object = {}) =>
  procedureErrors.error('appExchangeFailed', { reason, ...details })
