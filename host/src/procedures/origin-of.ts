import type { Origin } from '@signed-registry/core'
import type { FastifyRequest } from 'fastify'
import { clientAddress } from '../http/client-address.js'
import { networkOf } from '../limits/network-of.js'

/** Where a request comes from, as procedures are counted and addressed by it. */
export const originOf = (request: FastifyRequest): Origin => ({
  address: networkOf(clientAddress(request)),
  isMutualTls: request.isMutualTls,
})
