import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import {
  type ContentScanner,
  type Finding,
  piecesOf,
  ScannerUnavailable,
  type ScanVerdict,
} from '@signed-registry/core'

const CHUNK = 1024 * 1024
const MAX_ANSWER_BYTES = 4096
/** Errors of writing to a closed connection. */
const HUNG_UP = new Set(['EPIPE', 'ECONNRESET'])

/** Talks to clamd by its INSTREAM command (clamd(8)): length-prefixed chunks, one verdict. */
export class ClamdScanner implements ContentScanner {
  /** `address` is the path of a UNIX socket, with or without `unix:`, or `host:port`. */
  constructor(
    private readonly address: string,
    private readonly timeoutMs: number,
  ) {}

  async scan(bytes: AsyncIterable<Uint8Array>): Promise<ScanVerdict> {
    const socket = this.connect()
    // The daemon may answer and close the connection before it has read everything.
    const answer = readAnswer(socket)
    answer.catch(() => undefined)
    try {
      await sendAll(socket, bytes)
      return verdictOf(await answer)
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      // clamd closes the connection early only when content exceeds StreamMaxLength; its answer is lost if writing fails
      // before it is read.
      if (HUNG_UP.has(codeOf(socket.errored)) && (await this.isAlive())) return { verdict: 'tooLarge' }
      throw new ScannerUnavailable(error.message, error)
    } finally {
      socket.destroy()
    }
  }

  /** Asks the daemon for its version, as one that works answers. */
  async check(): Promise<Finding> {
    try {
      const answer = await this.ask('VERSION')
      if (answer.startsWith('ClamAV ')) return { state: 'ok', text: `${this.address} answers: ${answer}` }
      return { state: 'fail', text: `${this.address} is no clamd: it answers ${JSON.stringify(answer.slice(0, 100))}` }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return { state: 'fail', text: `${this.address}: ${why}; start clamd, or see whether its address is right` }
    }
  }

  private async isAlive(): Promise<boolean> {
    return (await this.ask('PING').catch(() => '')) === 'PONG'
  }

  private async ask(command: 'PING' | 'VERSION'): Promise<string> {
    const socket = this.connect()
    socket.write(`z${command}\0`)
    try {
      return await readAnswer(socket)
    } finally {
      socket.destroy()
    }
  }

  private connect(): Socket {
    const socket = connect(socketOf(this.address))
    return socket.setTimeout(this.timeoutMs, () => socket.destroy(new Error('the scanner keeps silent')))
  }
}

/** The daemon gave no verdict. */
class NoAnswer extends Error {}

/** Sends content until it ends or the daemon closes the connection. Rejects with the stream's error. */
async function sendAll(socket: Socket, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const closed = once(socket, 'close').catch(() => undefined)
  const send = async (data: Uint8Array | string) => {
    if (!socket.write(data)) await Promise.race([once(socket, 'drain').catch(() => undefined), closed])
  }
  await send('zINSTREAM\0')
  for await (const chunk of piecesOf(bytes, CHUNK)) {
    if (!socket.writable) return
    const length = Buffer.alloc(4)
    length.writeUInt32BE(chunk.length)
    socket.write(length)
    await send(chunk)
  }
  if (socket.writable) await send(Buffer.alloc(4))
}

/** The answer, which ends with a zero byte. */
function readAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('utf8')
      const end = answer.indexOf('\0')
      if (end >= 0) resolve(answer.slice(0, end))
      else if (answer.length > MAX_ANSWER_BYTES) socket.destroy(new Error('the scanner says too much'))
    })
    socket.once('error', () => undefined)
    socket.once('close', () => reject(new NoAnswer(socket.errored?.message ?? 'the scanner hung up')))
  })
}

function verdictOf(answer: string): ScanVerdict {
  if (answer === 'stream: OK') return { verdict: 'clean' }
  const [, name] = /^stream: (.+) FOUND$/.exec(answer) ?? []
  if (name !== undefined) return { verdict: 'infected', name }
  if (answer === 'INSTREAM size limit exceeded. ERROR') return { verdict: 'tooLarge' }
  throw new NoAnswer(`the scanner answered ${JSON.stringify(answer)}`)
}

const codeOf = (error: Error | null): string => (error !== null && 'code' in error ? String(error.code) : '')

function socketOf(address: string): { path: string } | { host: string; port: number } {
  const path = address.replace(/^unix:/, '')
  if (path.startsWith('/')) return { path }
  const at = address.lastIndexOf(':')
  return { host: address.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(address.slice(at + 1)) }
}
