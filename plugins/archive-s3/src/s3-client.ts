import { createHash } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { ArchiveS3Options } from './options.js'

/** A request to the service. */
export interface S3Call {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Name of the object, without the prefix; the bucket itself where there is none. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

/** A response; its body must be read or destroyed. */
export interface S3Answer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: http.IncomingMessage
}

/** The service refused, or could not be reached after all attempts. Carries no secret. */
export class S3Error extends Error {
  override readonly name = 'S3Error'

  constructor(
    message: string,
    readonly status: number | undefined,
    /** Such as `NoSuchBucket`. */
    readonly code: string | undefined,
    cause?: unknown,
  ) {
    super(message, { cause })
  }
}

const ATTEMPTS = 4
const TIMEOUT_MS = 60_000
const FIRST_PAUSE_MS = 100
const MAX_TEXT_BYTES = 16 * 1024 * 1024

/** Makes signed requests (AWS Signature Version 4), with retries when the service fails. */
export class S3Client {
  private readonly agent: http.Agent
  private readonly signingKeys = new Map<string, ArrayBuffer>()

  constructor(private readonly options: ArchiveS3Options) {
    const { Agent } = options.endpoint.startsWith('https:') ? https : http
    this.agent = new Agent({ keepAlive: true })
  }

  /** Resolves with an answer below 500 but 429. Rejects with an `S3Error`. */
  async call(call: S3Call): Promise<S3Answer> {
    const { attempts = ATTEMPTS } = this.options
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.once(call).catch((error: unknown) => error)
      if (isAnswer(answer) && answer.status < 500 && answer.status !== 429) return answer
      // 507 Insufficient Storage: a retry would not help.
      const isFull = isAnswer(answer) && answer.status === 507
      if (attempt >= attempts || isFull)
        throw isAnswer(answer) ? await refusal(call, answer) : unreachable(call, answer)
      if (isAnswer(answer)) answer.body.destroy()
      await pause(FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random()))
    }
  }

  /** As `call`, for a call whose answer must be one of these statuses; answers its text too. */
  async text(call: S3Call, ...statuses: readonly number[]): Promise<S3Answer & { readonly text: string }> {
    const answer = await this.call(call)
    if (!statuses.includes(answer.status)) throw await refusal(call, answer)
    return { ...answer, text: await textOf(answer.body) }
  }

  /** Closes the connections. */
  close(): void {
    this.agent.destroy()
  }

  private async once({ method, key, query = {}, headers = {}, body }: S3Call): Promise<S3Answer> {
    const url = this.addressOf(key)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const { accessKeyId, secretAccessKey, sessionToken, region = 'us-east-1' } = this.options
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: {
        ...headers,
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
      },
      accessKeyId,
      secretAccessKey,
      ...(sessionToken && { sessionToken }),
      service: 's3',
      region,
      cache: this.signingKeys,
    })
    const signed = await signer.sign()
    return this.send(signed.url, method, Object.fromEntries(signed.headers), body)
  }

  private send(url: URL, method: string, headers: Record<string, string>, body?: Uint8Array): Promise<S3Answer> {
    const { request } = url.protocol === 'https:' ? https : http
    return new Promise((resolve, reject) => {
      const length = method === 'PUT' || method === 'POST' ? { 'content-length': String(body?.length ?? 0) } : {}
      const call = request(url, { method, headers: { ...headers, ...length }, agent: this.agent }, (answer) =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: answer }),
      )
      call.setTimeout(this.options.timeoutMs ?? TIMEOUT_MS, () => call.destroy(new Error('the service keeps silent')))
      call.once('error', reject)
      call.end(body)
    })
  }

  private addressOf(key: string | undefined): URL {
    const { endpoint, bucket, prefix = '', style = 'path' } = this.options
    const url = new URL(endpoint)
    const name = key === undefined ? '' : prefix + key
    if (style === 'virtual') url.hostname = `${bucket}.${url.hostname}`
    url.pathname = style === 'virtual' ? `/${name}` : `/${bucket}${key === undefined ? '' : `/${name}`}`
    return url
  }
}

/** An answer as an error; takes the code that the service gives. */
export async function refusal({ method, query = {} }: S3Call, { status, body }: S3Answer): Promise<S3Error> {
  const code = elements(await textOf(body).catch(() => ''), 'Code')[0]
  const what = [method, ...Object.keys(query)].join(' ')
  return new S3Error(`The object store answered ${status}${code ? ` ${code}` : ''} to ${what}`, status, code)
}

/** The texts of all elements of this name. Names of objects here need no entities. */
export const elements = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) => text)

const isAnswer = (answer: unknown): answer is S3Answer =>
  typeof answer === 'object' && answer !== null && 'status' in answer && 'body' in answer

const unreachable = ({ method }: S3Call, cause: unknown): S3Error =>
  new S3Error(`The object store did not answer to ${method}`, undefined, undefined, cause)

async function textOf(body: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > MAX_TEXT_BYTES) throw new Error('The object store says too much')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
