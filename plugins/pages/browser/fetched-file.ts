import { problemOf } from '@signed-registry/client'

/** Fetches what the registry answers as a file of this type to clients that accept it. Rejects with the registry's refusal. */
export async function fetchFile(address: string, type: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(address, { ...init, headers: { ...init.headers, accept: type } })
  if (isFile(response, type)) return response
  const body: unknown = await response.json().catch(() => undefined)
  throw problemOf(response.status, body, response.headers.get('retry-after')) ?? new TypeError(`${address} is no file`)
}

/** Whether an answer is the file: services may answer refusals with status 200, too. */
export const isFile = ({ ok, headers }: Response, type: string): boolean =>
  ok && headers.get('content-type')?.startsWith(type) === true
