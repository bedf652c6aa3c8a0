import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { inspect } from 'node:util'

/** An answer as the tests look at it. */
export interface Answer<T = Record<string, unknown>> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: T
}

/** One request with `fetch`; the answer must be JSON. */
export async function request<T = Record<string, unknown>>(url: string, init: RequestInit = {}): Promise<Answer<T>> {
  const response = await fetch(url, init).catch(tellWhy)
  const body = await response.text()
  const json = body === '' ? undefined : JSON.parse(body)
  return { status: response.status, headers: response.headers, text: body, json }
}

/** A failure of a parallel run is told by its stack alone, and `fetch failed` says nothing. */
function tellWhy(error: unknown): never {
  if (error instanceof Error && error.cause !== undefined) error.stack += `\ncaused by ${inspect(error.cause)}`
  throw error
}

/** A POST of JSON; a string is sent as it is. */
export function postJson<T = Record<string, unknown>>(url: string, body: unknown): Promise<Answer<T>> {
  return request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** A POST of bytes with their true length. */
export function postBytes<T = Record<string, unknown>>(url: string, body: Uint8Array<ArrayBuffer>): Promise<Answer<T>> {
  return request(url, { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body })
}

/** A connection for saying what no HTTP client would say. */
export async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  return socket
}

/** Sends exactly these bytes, ends its side when told to, and gives everything that came back until the other side closed. */
export async function sendRaw(url: string, bytes: string, { end = false } = {}): Promise<string> {
  const socket = await openSocket(url)
  if (end) socket.end(bytes)
  else socket.write(bytes)
  return receivedBy(socket)
}

/** All that came on a connection until it closed, also where it was reset with bytes under way. */
export function receivedBy(socket: Socket): Promise<string> {
  let received = ''
  socket.on('error', () => undefined)
  socket.setEncoding('utf8').on('data', (text) => {
    received += text
  })
  return new Promise((resolve) => socket.once('close', () => resolve(received)))
}
