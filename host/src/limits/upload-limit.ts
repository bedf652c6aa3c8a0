import { requestErrors } from '@signed-registry/core'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { clientAddress } from '../http/client-address.js'
import { networkOf } from './network-of.js'

/** Uploads that may be under way at a time; 0 for any number. */
export interface UploadSettings {
  /** Of one address. */
  readonly perAddress: number
  readonly inAll: number
}

export const defaultUploads: UploadSettings = { perAddress: 32, inAll: 500 }

/** Makes scopes refuse uploads with `tooManyUploads` while so many are under way in all of them; without `isUpload` all is one. */
export function uploadLimit({ perAddress, inAll }: UploadSettings) {
  const underWay = new Map<string, number>()
  let all = 0
  const count: onRequestHookHandler = (request, reply, done) => {
    const address = networkOf(clientAddress(request))
    const here = underWay.get(address) ?? 0
    const isTooMuch = (perAddress > 0 && here >= perAddress) || (inAll > 0 && all >= inAll)
    if (isTooMuch) return done(requestErrors.error('tooManyUploads'))
    underWay.set(address, here + 1)
    all += 1
    const { socket } = request.raw
    let isOver = false
    const end = () => {
      if (isOver) return
      isOver = true
      socket.off('close', end)
      const left = (underWay.get(address) ?? 1) - 1
      if (left === 0) underWay.delete(address)
      else underWay.set(address, left)
      all -= 1
    }
    // An answer that waits for others on its connection tells nothing when that breaks off.
    socket.once('close', end)
    reply.raw.once('finish', end).once('close', end)
    done()
  }
  return (app: FastifyInstance, isUpload: (request: FastifyRequest) => boolean = () => true): void => {
    app.addHook('onRequest', function (request, reply, done) {
      if (isUpload(request)) count.call(this, request, reply, done)
      else done()
    })
  }
}
