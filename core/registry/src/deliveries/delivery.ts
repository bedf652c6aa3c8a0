import { integer, json, optional, table, text, word } from '../database/table.js'

/** A delivery to be made. */
export interface NewDelivery {
  /** Name of the channel that sends it. */
  readonly channel: string
  /** The receiver in at most 64 ASCII characters: deliveries to one target never hold up others. */
  readonly target: string
  /** The owner in at most 64 ASCII characters; deliveries are listed by it. */
  readonly owner: string
  /** The event that caused it, if one did. */
  readonly eventId?: string | undefined
  /** Who asked for it, in at most 64 ASCII characters, if somebody did: they may see its record. */
  readonly askedBy?: string | undefined
  /** Input for the channel, stored as JSON. */
  readonly payload: unknown
  /** Milliseconds; now by default. */
  readonly notBefore?: number | undefined
  /** The trace that it continues (W3C Trace Context); the current one unless given. */
  readonly traceparent?: string | undefined
}

/**
 * `waiting` for an attempt, `sending` since one was started, `delivered`, or `failed`: given up until it is repeated.
 */
export type DeliveryState = 'waiting' | 'sending' | 'delivered' | 'failed'
export const DELIVERY_STATES = ['waiting', 'sending', 'delivered', 'failed'] as const satisfies DeliveryState[]

/** The last error of a delivery whose host stopped during the attempt: the channel may have sent it already. */
export const HOST_STOPPED = 'The host stopped'

/** A delivery as it is stored. */
export interface Delivery {
  /** The same for every attempt, so that a receiver recognizes duplicates. */
  readonly id: string
  readonly channel: string
  readonly target: string
  readonly owner: string
  readonly eventId: string | undefined
  readonly askedBy: string | undefined
  readonly payload: unknown
  readonly state: DeliveryState
  /** Attempts that were started; for its channel, those before this one. */
  readonly attempts: number
  /** Attempts that failed since it was made, or last repeated by request. */
  readonly failures: number
  /** Milliseconds. */
  readonly createdAt: number
  /** When a waiting one is due, when the lease of a held one expires, or when a finished one is deleted. */
  readonly nextAt: number
  readonly lastError: string | undefined
  /** When the last attempt ended, milliseconds. */
  readonly lastAt: number | undefined
  /** The note of the channel at the last attempt. */
  readonly note: unknown
  /** The trace that it continues (W3C Trace Context). */
  readonly traceparent: string | undefined
}

/** The outcome of an attempt. */
export type Outcome = { /** Such as an HTTP status or an SMTP reply code. */ readonly status?: number | undefined } & {
  /** What the receiver said; its first 1024 characters are kept. */
  readonly answer?: string | undefined
  /** More about the outcome; stored as JSON. */
  readonly note?: object | undefined
} & (
    | { readonly state: 'delivered' }
    | {
        /** To be retried, on the schedule of the channel. */
        readonly state: 'later'
        readonly error: string
        /** The receiver asked to wait at least so long, milliseconds. */
        readonly afterMs?: number | undefined
        /** True when the receiver is at fault and not this delivery: others for it wait as well. */
        readonly restTarget?: boolean
      }
    | {
        /** Not to be retried automatically. */
        readonly state: 'failed'
        readonly error: string
      }
  )

/** One finished attempt. */
export interface Attempt {
  readonly deliveryId: string
  /** 1 for the first. */
  readonly attempt: number
  /** Milliseconds. */
  readonly startedAt: number
  readonly durationMs: number
  readonly outcome: Outcome['state']
  readonly status: number | undefined
  readonly answer: string | undefined
  readonly error: string | undefined
}

export const DELIVERIES = table('registry_deliveries', {
  id: text('id'),
  channel: text('channel'),
  target: text('target'),
  owner: text('owner'),
  eventId: optional(text('event_id')),
  askedBy: optional(text('asked_by')),
  payload: json<unknown>('payload'),
  state: word('state', DELIVERY_STATES),
  attempts: integer('attempts'),
  failures: integer('failures'),
  createdAt: integer('created_at'),
  nextAt: integer('next_at'),
  lease: optional(text('lease')),
  lastError: optional(text('last_error')),
  lastAt: optional(integer('last_at')),
  note: optional(json<unknown>('note')),
  traceparent: optional(text('traceparent')),
})

export const ATTEMPTS = table('registry_delivery_attempts', {
  deliveryId: text('delivery_id'),
  attempt: integer('attempt'),
  startedAt: integer('started_at'),
  durationMs: integer('duration_ms'),
  outcome: word('outcome', ['delivered', 'later', 'failed'] satisfies Attempt['outcome'][]),
  status: optional(integer('status')),
  answer: optional(text('answer')),
  error: optional(text('error')),
})

export const MAX_ERROR = 500
export const MAX_ANSWER = 1024
