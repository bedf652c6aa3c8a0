/** Where a host listens, for the greeting. */
export interface Place {
  readonly url: string
  readonly systemsUrl: string | undefined
  readonly forDevelopment: boolean
}

/** What the processes of one host say to each other, by way of the one that started them. */
export type Message =
  | { readonly kind: 'ready'; readonly place: Place }
  | { readonly kind: 'ping' }
  | { readonly kind: 'pong' }
  | { readonly kind: 'tell'; readonly topic: string; readonly body: unknown }
  | { readonly kind: 'ask'; readonly id: number; readonly topic: string; readonly body: unknown }
  | { readonly kind: 'answer'; readonly id: number; readonly body: unknown }
  | { readonly kind: 'answers'; readonly id: number; readonly bodies: readonly unknown[] }

const KINDS = new Set<unknown>(['ready', 'ping', 'pong', 'tell', 'ask', 'answer', 'answers'])

/** True for what our own processes send: others share the channel, such as Node itself. */
export const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && 'kind' in value && KINDS.has(value.kind)

/** The topic by which workers are told to read anew what can change. */
export const RELOAD = 'reload'

/** The topic of what the process that started the workers tells of those that it has replaced. */
export const REPLACED = 'replaced'

/** How many workers were replaced since the host was started: that ended by themselves, and that hung. */
export interface Replaced {
  readonly ended: number
  readonly hung: number
}

export const isReplaced = (body: unknown): body is Replaced =>
  typeof body === 'object' &&
  body !== null &&
  'ended' in body &&
  typeof body.ended === 'number' &&
  'hung' in body &&
  typeof body.hung === 'number'
