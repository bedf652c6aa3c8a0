import { isMessage } from '#host/workers/messages.js'
import type { Recipient, Relay } from '#host/workers/relay.js'
import { Siblings } from '#host/workers/siblings.js'

/** A worker in this process. */
export interface Answering {
  readonly siblings: Siblings
  readonly recipient: Recipient
}

/** So many workers of one host in this process, which exchange messages as processes do. */
export function relayed(relay: Relay, count: number, host = 'a1b2c3d4'): Answering[] {
  return Array.from({ length: count }, (_, index) => {
    const siblings: Siblings = new Siblings(index + 1, count, host, (message) =>
      relay.receive(recipient, sent(message)),
    )
    const recipient: Recipient = { send: (message) => siblings.receive(sent(message)) }
    relay.add(recipient)
    return { siblings, recipient }
  })
}

/** What arrives of a message at another process. */
function sent(message: unknown) {
  const copy: unknown = JSON.parse(JSON.stringify(message))
  if (!isMessage(copy)) throw new Error('This is no message')
  return copy
}
