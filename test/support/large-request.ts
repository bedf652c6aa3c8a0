import { connect } from 'node:net'

/** A request that is much to take in. */
export interface LargeRequest {
  readonly path: string
  readonly type: string
  /** Of the body, which repeats `filling` between what begins and what ends it. */
  readonly bytes: number
  readonly start?: string
  readonly filling: string
  readonly end?: string
}

const PIECE = 2 ** 20

/** Sends it from an address of this machine; gives the status and the code of the answer, `none` where the connection broke. */
export async function sendLarge(url: string, from: string, request: LargeRequest): Promise<string> {
  const { path, type, bytes, start = '', filling, end = '' } = request
  const { port, hostname } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, localAddress: from })
  let answer = ''
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1')
    if (/\}$/.test(answer)) socket.destroy()
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${bytes}\r\n\r\n`
  socket.write(head + start)
  const piece = Buffer.alloc(PIECE, filling)
  let left = bytes - start.length - end.length
  const more = () => {
    while (left > 0 && socket.writable) {
      const part = piece.subarray(0, Math.min(left, PIECE))
      left -= part.length
      if (left === 0) socket.write(Buffer.concat([part, Buffer.from(end)]))
      else if (!socket.write(part)) return
    }
  }
  socket.on('drain', more)
  more()
  await closed
  const [, status = 'none'] = /^HTTP\/1\.1 (\d+)/.exec(answer) ?? []
  return `${status} ${/"code":"(\w+)"/.exec(answer)?.[1] ?? ''}`.trim()
}
