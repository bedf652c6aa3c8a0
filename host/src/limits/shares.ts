import { Readable } from 'node:stream'
import type { Ledger, Taken } from '@signed-registry/core'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** In bytes. Smaller answers are sent at once, and cost more to count than they use. */
export const LARGE_ANSWER = 256 * 1024
/** An answer is in memory twice: as a value, and as bytes to send. */
const COPIES = 2

/** Releases a share when the request is answered or its connection closed. */
export function releaseWhenOver(
  { raw: { socket } }: FastifyRequest,
  { raw: answer }: FastifyReply,
  taken: Taken,
): void {
  const end = () => {
    socket.off('close', end)
    taken.release()
  }
  if (socket.destroyed || answer.closed) {
    taken.release()
    return
  }
  // An answer that is queued behind others emits nothing when the connection breaks off.
  socket.once('close', end)
  answer.once('finish', end).once('close', end)
}

/** Counts an upload against its caller's share until the request is over, before any of it is read. */
export const takeUpload = (request: FastifyRequest, reply: FastifyReply, ledger: Ledger): void =>
  releaseWhenOver(request, reply, ledger.take('uploads', request.caller, 1))

/**
 * Counts an answer against its caller's share until it is sent: a stream as a download, a large answer by its memory. The
 * answer to a change is always sent; a caller that only reads is refused when the share is used up.
 */
export function takeAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: Readable | string | Buffer,
  ledger: Pick<Ledger, 'charge' | 'take'>,
): void {
  const { caller, method } = request
  try {
    if (payload instanceof Readable) releaseWhenOver(request, reply, ledger.take('downloads', caller, 1))
    else
      releaseWhenOver(
        request,
        reply,
        ledger[method === 'GET' ? 'take' : 'charge']('memory', caller, COPIES * payload.length),
      )
  } catch (error) {
    if (payload instanceof Readable) payload.destroy()
    throw error
  }
}
