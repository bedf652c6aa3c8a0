import http from 'node:http'
import https from 'node:https'

/** An answer to a phone. */
export interface PhoneAnswer {
  readonly status: number
  readonly text: string
}

/** What a phone asks. */
export interface PhoneRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Certificates that servers are trusted by, PEM; `false` trusts whoever answers. */
  readonly trust?: string | Buffer | false | undefined
}

const TIMEOUT_MS = 120_000

/** One request over HTTP or TLS. */
export function ask(address: string, { method, headers = {}, body, trust }: PhoneRequest): Promise<PhoneAnswer> {
  const url = new URL(address)
  const tls = trust === false ? { rejectUnauthorized: false } : trust === undefined ? {} : { ca: trust }
  const options = {
    method,
    timeout: TIMEOUT_MS,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
  }
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? https.request(url, { ...options, ...tls }) : http.request(url, options)
    request.on('timeout', () => request.destroy(new Error('The service does not answer')))
    request.on('error', reject)
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      )
    })
    request.end(body)
  })
}
