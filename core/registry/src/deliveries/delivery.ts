import { integer, json, optional, table, text, word } from '../database/table.js'

/** What is asked to be delivered. */
export interface NewDelivery {
  /** Name of the channel that carries it. */
  readonly channel: string
  /** Names the receiver in at most 64 ASCII characters: what goes to one receiver never holds up another. */
  readonly target: string
  /** Whose it is, in at most 64 ASCII characters; deliveries are listed by it. */
  readonly owner: string
  /** The event that caused it, if one did. */
  readonly eventId?: string | undefined
  /** Who asked for it, in at most 64 ASCII characters, where somebody did: the record of it is theirs. */
  readonly askedBy?: string | undefined
  /** What the channel needs to know; it is kept as JSON. */
  readonly payload: unknown
  /** Milliseconds; now unless given. */
  readonly notBefore?: number | undefined
}

/**
 * `waiting` for an attempt, `sending` since one has begun, `delivered`, or `failed`: given up, until it is told to try again.
 */
export type DeliveryState = 'waiting' | 'sending' | 'delivered' | 'failed'
export const DELIVERY_STATES = ['waiting', 'sending', 'delivered', 'failed'] as const satisfies DeliveryState[]

/** The last error of a delivery whose host stopped in the attempt before: whatever the channel did in it may be done already. */
export const HOST_STOPPED = 'The host stopped'

/** A delivery as it is kept. */
export interface Delivery {
  /** The same for every attempt: a receiver that gets something twice knows it by this. */
  readonly id: string
  readonly channel: string
  readonly target: string
  readonly owner: string
  readonly eventId: string | undefined
  readonly askedBy: string | undefined
  readonly payload: unknown
  readonly state: DeliveryState
  /** Attempts that were begun; for its channel, those before this one. */
  readonly attempts: number
  /** Those that ended in failure since it was made, or was last told to try again. */
  readonly failures: number
  /** Milliseconds. */
  readonly createdAt: number
  /** The next attempt of one that waits; the end of the lease of one that a host holds; when one that is done is forgotten. */
  readonly nextAt: number
  readonly lastError: string | undefined
  /** When the last attempt ended, milliseconds. */
  readonly lastAt: number | undefined
  /** What the channel noted at the last attempt. */
  readonly note: unknown
}

/** What an attempt came to. */
export type Outcome = { /** Such as an HTTP status or an SMTP reply code. */ readonly status?: number | undefined } & {
  /** What the receiver said; its first 1024 characters are kept. */
  readonly answer?: string | undefined
  /** What is to be known of it beside its state; kept as JSON. */
  readonly note?: object | undefined
} & (
    | { readonly state: 'delivered' }
    | {
        /** To be tried again, by the schedule of the channel. */
        readonly state: 'later'
        readonly error: string
        /** The receiver asked to wait at least so long, milliseconds. */
        readonly afterMs?: number | undefined
        /** True when the receiver is at fault and not this delivery: the others for it wait as well. */
        readonly restTarget?: boolean
      }
    | {
        /** Never to be tried again by itself. */
        readonly state: 'failed'
        readonly error: string
      }
  )

/** One attempt that ended. */
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
