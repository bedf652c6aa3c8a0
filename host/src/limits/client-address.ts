import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** The address that a request came from: what trusted proxies say, if that is an address, else that of the connection. */
export const clientAddress = ({ ip, raw }: FastifyRequest): string =>
  isIP(ip) === 0 ? (raw.socket.remoteAddress ?? '') : ip
