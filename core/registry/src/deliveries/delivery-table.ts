import { integer, json, optional, table, text, word } from '../database/table.js'
import { type Attempt, DELIVERY_STATES } from './delivery.js'

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
