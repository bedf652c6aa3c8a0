import type { Taken } from '@signed-registry/core'
import type { FastifyReply, FastifyRequest } from 'fastify'

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
