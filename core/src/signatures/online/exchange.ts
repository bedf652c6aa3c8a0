import * as http from 'node:http'
import * as https from 'node:https'
import { AuthorityUnavailable } from '../ports.js'

/** One request to an authority, and what its answer may be. */
export interface Exchange {
  readonly url: string
  readonly body: Uint8Array
  readonly contentType: string
  readonly accept: string
  /** For the whole exchange, from connecting to the last octet; milliseconds. */
  readonly timeoutMs: number
  /** Octets. */
  readonly mostBytes: number
  readonly signal: AbortSignal
}

/** Keep-alive connections to authorities; `close` drops those that are open. */
export class AuthorityConnections {
  private readonly plain = new http.Agent({ keepAlive: true, maxSockets: 32 })
  private readonly secure = new https.Agent({ keepAlive: true, maxSockets: 32 })

  /** Posts a request and gives the body of a 200 answer of the right type; rejects with `AuthorityUnavailable` alone. */
  async post(exchange: Exchange): Promise<Uint8Array> {
    const timeout = AbortSignal.timeout(exchange.timeoutMs)
    const signal = AbortSignal.any([timeout, exchange.signal])
    try {
      const response = await this.send(exchange, signal)
      try {
        assertAnswer(response, exchange)
        return await body(response, exchange.mostBytes)
      } catch (error) {
        // Not read to the end: the connection cannot be used again.
        response.destroy()
        throw error
      }
    } catch (error) {
      if (signal.aborted) throw new AuthorityUnavailable('timeout', false, { cause: error })
      if (error instanceof AuthorityUnavailable) throw error
      throw new AuthorityUnavailable('unreachable', true, { cause: error })
    }
  }

  close(): void {
    this.plain.destroy()
    this.secure.destroy()
  }

  private send(exchange: Exchange, signal: AbortSignal): Promise<http.IncomingMessage> {
    const url = httpUrl(exchange.url)
    const options = {
      method: 'POST',
      signal,
      agent: url.protocol === 'https:' ? this.secure : this.plain,
      headers: {
        'content-type': exchange.contentType,
        'content-length': exchange.body.length,
        accept: exchange.accept,
      },
    }
    return new Promise((resolve, reject) => {
      const request = (url.protocol === 'https:' ? https : http).request(url, options, resolve)
      request.on('error', reject)
      request.end(exchange.body)
    })
  }
}

function httpUrl(text: string): URL {
  if (!URL.canParse(text)) throw new AuthorityUnavailable('badAddress', false)
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new AuthorityUnavailable('badAddress', false)
  return url
}

function assertAnswer(response: http.IncomingMessage, exchange: Exchange): void {
  const status = response.statusCode ?? 0
  if (status >= 300 && status < 400) throw new AuthorityUnavailable('redirect', false)
  if (status !== 200) throw new AuthorityUnavailable('httpStatus', status >= 500)
  const type = response.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== exchange.accept) throw new AuthorityUnavailable('contentType', false)
  if (Number(response.headers['content-length'] ?? 0) > exchange.mostBytes) {
    throw new AuthorityUnavailable('tooLarge', false)
  }
}

async function body(response: http.IncomingMessage, mostBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > mostBytes) throw new AuthorityUnavailable('tooLarge', false)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}
