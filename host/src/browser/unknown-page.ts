import { anonymous, type RegistryError, type WebPages } from '@signed-registry/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { accepts, isLink } from '../downloads/send-bytes.js'
import type { OtherAnswer } from '../http/problem.js'
import { pageRequest, sendPage } from './page-request.js'

/** Answers browsers that ask for an address that does not exist, in whatever way, with a page; nothing where there are no pages. */
export const unknownPage =
  (pages: WebPages, baseUrl: () => string): OtherAnswer =>
  (request, reply, error) =>
    pages.addresses.length > 0 && error.code === 'invalidRoute' && isBrowser(request)
      ? answer(pages, baseUrl(), request, reply, error)
      : undefined

async function answer(
  pages: WebPages,
  baseUrl: string,
  request: FastifyRequest,
  reply: FastifyReply,
  error: RegistryError,
): Promise<FastifyReply> {
  request.problemCode = error.code
  const asked = { ...pageRequest(request, anonymous, baseUrl), address: '', params: {} }
  return sendPage(reply, await pages.failure(asked, error))
}

/** True for browsers that open a page, and for clients that accept HTML alone; others get JSON. */
const isBrowser = (request: FastifyRequest): boolean =>
  isLink(request) || (accepts(request, ['text/html']) && request.headers.accept?.includes(',') === false)
