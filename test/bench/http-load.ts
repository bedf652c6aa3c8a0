import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A POST of JSON as the bytes that go over a kept connection. */
export const postRequest = (path: string, body: unknown): Buffer =>
  requestBytes('POST', path, Buffer.from(JSON.stringify(body)), 'application/json')

/** A request as the bytes that go over a kept connection. */
export function requestBytes(
  method: 'GET' | 'POST',
  path: string,
  body: Uint8Array = new Uint8Array(),
  type = 'application/octet-stream',
): Buffer {
  const about = method === 'GET' ? '' : `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n`
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: bench\r\n${about}\r\n`), body])
}

/**
 * Sends all requests over so many connections, one at a time on each, and gives the seconds that all of them took. It
 * costs little beside what it measures: requests are ready bytes, answers are looked at no further than needed. Rejects
 * for any answer other than 200. Of several addresses each gets as many connections.
 */
export async function load(
  url: string | readonly string[],
  requests: readonly Buffer[],
  connections: number,
): Promise<number> {
  const opened = await KeptLoad.open(url, connections)
  const seconds = await opened.send(requests)
  opened.close()
  return seconds
}

/** The connections of `load`, kept from one measurement to the next; one that an answer ends is opened anew. */
export class KeptLoad {
  private constructor(private readonly callers: { readonly address: URL; socket: Socket }[]) {}

  static async open(url: string | readonly string[], connections: number): Promise<KeptLoad> {
    const addresses = [url].flat().map((address) => new URL(address))
    const opened = Array.from({ length: connections }, async (_, at) => {
      const address = addresses[at % addresses.length] ?? new URL('')
      return { address, socket: await open(address) }
    })
    return new KeptLoad(await Promise.all(opened))
  }

  /** As `load`. */
  async send(requests: readonly Buffer[]): Promise<number> {
    let next = 0
    const start = performance.now()
    await Promise.all(
      this.callers.map(async (caller) => {
        while (next < requests.length) {
          const request = requests[next]
          next += 1
          if (request === undefined || (await exchange(caller.socket, request))) continue
          caller.socket.destroy()
          caller.socket = await open(caller.address)
        }
      }),
    )
    return (performance.now() - start) / 1000
  }

  close(): void {
    for (const { socket } of this.callers) socket.destroy()
  }
}

async function open({ hostname, port }: URL): Promise<Socket> {
  const socket = connect(Number(port), hostname).setNoDelay()
  await once(socket, 'connect')
  return socket
}

/** One request and its answer; false when the connection ends with it. */
function exchange(socket: Socket, request: Buffer): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const read = (chunk: Buffer) => {
      answer += chunk.toString('latin1')
      const end = answer.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(answer)?.[1] ?? Number.NaN)
      if (end < 0 || answer.length < end + 4 + length) return
      socket.off('data', read)
      if (answer.startsWith('HTTP/1.1 200')) resolve(!/^connection: close\r$/im.test(answer.slice(0, end + 2)))
      else reject(new Error(`Unexpected answer: ${answer.slice(0, 1000)}`))
    }
    socket.on('data', read)
    socket.write(request)
  })
}
