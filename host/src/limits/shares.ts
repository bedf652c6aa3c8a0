import { Readable } from 'node:stream'
import type { Ledger, Taken } from '@signed-registry/core'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Bytes; smaller answers are written at once, and cost more to count than they take. */
export const LARGE_ANSWER = 256 * 1024
/** An answer as it was made, and once more on its way out. */
const COPIES = 2

/** Gives a share back when the request is answered, or its connection is gone. */
export function untilOver({ raw: { socket } }: FastifyRequest, { raw: answer }: FastifyReply, taken: Taken): void {
  const end = () => {
    socket.off('close', end)
    taken.release()
  }
  if (socket.destroyed || answer.closed) {
    taken.release()
    return
  }
  // An answer that waits for others on its connection tells nothing when that breaks off.
  socket.once('close', end)
  answer.once('finish', end).once('close', end)
}

/** Takes an upload of the caller's share until his request is over, before anything of it is read. */
export const takeUpload = (request: FastifyRequest, reply: FastifyReply, ledger: Ledger): void =>
  untilOver(request, reply, ledger.take('uploads', request.caller, 1))

/**
 * Takes of the caller's share what his answer holds until it is taken, however slowly: of what is streamed a download, of what
 * is large its memory. What has changed something is told whatever it takes; who only reads is refused where his share is taken.
 */
export function takeAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: Readable | string | Buffer,
  ledger: Pick<Ledger, 'charge' | 'take'>,
): void {
  const { caller, method } = request
  try {
    if (payload instanceof Readable) untilOver(request, reply, ledger.take('downloads', caller, 1))
    else
      untilOver(request, reply, ledger[method === 'GET' ? 'take' : 'charge']('memory', caller, COPIES * payload.length))
  } catch (error) {
    if (payload instanceof Readable) payload.destroy()
    throw error
  }
}
