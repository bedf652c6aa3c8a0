import { Database } from '../database/database.js'
import type { Delivery, DeliveryChannel, Outcome } from '../deliveries/index.js'
import { EventPublisher } from '../events/index.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { type WebhookAnswer, WebhookSender, WebhookSuccess } from './sender.js'
import { webhookHeaders } from './sign-webhook.js'
import { type WebhookRecord, WebhookStore } from './webhook-store.js'

export const WEBHOOK_CHANNEL = 'webhook'

/** Payload of a delivery by this channel. */
export interface WebhookPayload {
  readonly webhookId: string
  readonly body: object
  /** A test, which is sent to paused addresses too. */
  readonly isPing?: true
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** An address is paused after failing for this long. */
const MAX_FAILING_MS = 5 * 24 * HOUR
const OK = 200
/** The receiver is down or overloaded: all its deliveries wait. */
const OVERLOADED = new Set([429, 502, 503, 504])

/** Signs webhooks, interprets answers, and pauses addresses that keep failing. */
export class WebhookChannel implements DeliveryChannel {
  static readonly inject = {
    sender: WebhookSender,
    webhooks: WebhookStore,
    publisher: EventPublisher,
    database: Database,
    clock: Clock,
    success: WebhookSuccess,
  }
  readonly name = WEBHOOK_CHANNEL
  readonly timeoutMs = 30 * SECOND
  readonly retriesMs = [5 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR]
  readonly atOnce = 128
  readonly atOncePerTarget = 8

  constructor(private readonly use: Injected<typeof WebhookChannel.inject>) {}

  async deliver(delivery: Delivery, signal: AbortSignal): Promise<Outcome> {
    const { webhookId, body, isPing = false } = delivery.payload as WebhookPayload
    const webhook = await this.use.webhooks.find(webhookId)
    if (this.use.sender === undefined) return { state: 'later', error: 'No plugin carries webhooks' }
    // The address was in the settings when the delivery was made; only for a retry it may be gone.
    const isRepeat = delivery.attempts > 0 || delivery.failures > 0
    if (webhook === undefined || (isRepeat && !(await this.use.webhooks.isInUse(webhook)))) {
      return { state: 'failed', error: 'The address is no longer in the settings' }
    }
    if (webhook.pausedAt !== undefined && !isPing) return { state: 'failed', error: 'The address is paused' }

    const text = JSON.stringify(body)
    const proof = webhookHeaders(delivery.id, text, this.use.webhooks.secretsOf(webhook), this.use.clock.now())
    const headers = { 'content-type': 'application/json', 'user-agent': 'signed-registry', ...proof }
    let outcome: Outcome
    try {
      const request = { url: webhook.url, headers, body: Buffer.from(text), signal }
      outcome = this.judge(await this.use.sender.post(request))
    } catch (error) {
      outcome = { state: 'later', error: error instanceof Error ? error.message : 'No answer', restTarget: true }
    }
    await this.note(webhook, outcome)
    return outcome
  }

  private judge({ status, body: answer, retryAfter }: WebhookAnswer): Outcome {
    if (this.isSuccess(status)) return { state: 'delivered', status, answer }
    const error = `HTTP status ${status}`
    const afterMs = this.waitOf(retryAfter)
    return {
      state: 'later',
      error,
      status,
      answer,
      afterMs,
      restTarget: OVERLOADED.has(status) || afterMs !== undefined,
    }
  }

  private isSuccess(status: number): boolean {
    return this.use.success === '2xx' ? status >= 200 && status < 300 : status === OK
  }

  /** Milliseconds of a `Retry-After` (RFC 9110 section 10.2.3): seconds, or a date. */
  private waitOf(retryAfter: string | undefined): number | undefined {
    if (retryAfter === undefined) return undefined
    if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * SECOND
    const at = Date.parse(retryAfter)
    return Number.isNaN(at) ? undefined : Math.max(0, at - this.use.clock.now())
  }

  private async note(webhook: WebhookRecord, outcome: Outcome): Promise<void> {
    if (outcome.state === 'delivered') {
      if (webhook.failingSince !== undefined || webhook.pausedAt !== undefined) {
        await this.use.webhooks.markWorking(webhook)
      }
      return
    }
    const failingSince = await this.use.webhooks.markFailing(webhook)
    if (this.use.clock.now() - failingSince < MAX_FAILING_MS || webhook.pausedAt !== undefined) return
    await this.use.database.transaction(async () => {
      if (!(await this.use.webhooks.pause(webhook))) return
      await this.use.publisher.publish({ type: 'webhookPaused', businessId: webhook.bin, url: webhook.url })
    })
  }
}
