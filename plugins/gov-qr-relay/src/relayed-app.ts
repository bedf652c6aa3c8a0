import {
  type AnnouncedProcedure,
  type Announcement,
  type BodyStream,
  type Clock,
  type MobileApp,
  type OutboundAnswer,
  type OutboundClient,
  OutboundError,
  type OutboundRequest,
  type Relay,
  type RelayedDocuments,
} from '@signed-registry/core'
import { announcementIn, channelOf, MAX_REFUSAL_BYTES, withoutRefusal } from './answers.js'
import { relayErrors } from './relay-errors.js'

/** A QR code is an image of some kilobytes. */
const MAX_ANNOUNCEMENT_BYTES = 2 ** 20
/** Longer than any procedure, which ends its calls itself. */
const MAX_CALL_MS = 60 * 60_000
const CANCEL_MS = 5000

/** How the service is called. */
interface RelaySettings {
  readonly url: string
  readonly timeoutMs: number
  readonly silenceMs: number
}

/** Reaches the app through the raw interface of another service, as its client. */
export class RelayedApp implements MobileApp, Relay {
  readonly relay = this

  constructor(
    private readonly client: OutboundClient,
    private readonly settings: RelaySettings,
    private readonly clock: Clock,
  ) {}

  /** Rejects with `relayUnavailable`, or with `relayWithoutLogin` when the app would have to authenticate its user first. */
  async announce({ description, backUrl, authType }: AnnouncedProcedure): Promise<Announcement> {
    if (authType === 'Eds') throw relayErrors.error('relayWithoutLogin')
    const { url, timeoutMs } = this.settings
    const whenDone = backUrl === undefined ? {} : { whenDone: { backUrl } }
    const request: OutboundRequest = {
      ...{ url, timeoutMs, maxBytes: MAX_ANNOUNCEMENT_BYTES, ifLarger: 'refuse' },
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ description, ...whenDone })),
    }
    try {
      return announcementIn(withoutRefusal(await this.start(request)), url, this.clock.now())
    } catch (error) {
      const reason = error instanceof OutboundError ? error.reason : 'refused'
      throw relayErrors.error('relayUnavailable', { reason }, error)
    }
  }

  async deliver(channel: unknown, { type, size, bytes }: RelayedDocuments, signal: AbortSignal): Promise<void> {
    const url = channelOf(channel, this.settings.url).dataURL
    const answer = await this.longPoll(signal, () =>
      this.client.send({
        ...{
          url,
          signal,
          timeoutMs: MAX_CALL_MS,
          silenceMs: this.settings.silenceMs,
          maxBytes: MAX_REFUSAL_BYTES,
          ifLarger: 'cut',
        },
        headers: { 'content-type': type ?? 'application/json' },
        body: { bytes: bytes(), ...(size !== undefined && { size }) },
      }),
    )
    withoutRefusal(answer)
  }

  async collect(channel: unknown, take: (returned: BodyStream) => Promise<void>, signal: AbortSignal): Promise<void> {
    const url = channelOf(channel, this.settings.url).signURL
    const request = { url, method: 'GET', signal, timeoutMs: MAX_CALL_MS, silenceMs: this.settings.silenceMs } as const
    await this.longPoll(signal, () =>
      this.client.stream(request, async ({ status, headers, body }) => {
        const { head, isComplete, rest } = await readHead(body)
        if (isComplete || status !== 200) withoutRefusal({ status, headers, body: head })
        await take({ type: headers['content-type'], stream: joined(head, rest) })
      }),
    )
  }

  async cancel(channel: unknown): Promise<void> {
    const url = channelOf(channel, this.settings.url).dataURL
    await this.client.send({
      url,
      method: 'DELETE',
      timeoutMs: CANCEL_MS,
      maxBytes: MAX_REFUSAL_BYTES,
      ifLarger: 'cut',
    })
  }

  close(): void {
    this.client.close()
  }

  /** Starts a procedure; retries once if a kept-alive connection turned out to be broken, at the price of an unused code. */
  private start(request: OutboundRequest): Promise<OutboundAnswer> {
    return this.client.send(request).catch((error: unknown) => {
      if (error instanceof OutboundError && error.reason === 'unreachable') return this.client.send(request)
      throw error
    })
  }

  /** Repeats a long poll until it is answered: a timeout means nothing yet. */
  private async longPoll<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await call()
      } catch (error) {
        if (signal.aborted || !(error instanceof OutboundError) || error.reason !== 'timeout') throw error
      }
    }
  }
}

/** Reads as much of a body as it takes to tell an error from what the app returned. */
async function readHead(body: AsyncIterable<Uint8Array>) {
  const rest = body[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  for (let size = 0; size <= MAX_REFUSAL_BYTES; ) {
    const { value, done } = await rest.next()
    if (done) return { head: Buffer.concat(chunks), isComplete: true, rest }
    chunks.push(value)
    size += value.length
  }
  return { head: Buffer.concat(chunks), isComplete: false, rest }
}

async function* joined(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head
  yield* { [Symbol.asyncIterator]: () => rest }
}
