import type { Server } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'

/** A turn of the event loop that took longer had other work, in which something may have come. */
const QUIET_MS = 0.5
/** A port that is never quiet closes all the same: the end of the host must not wait for it. */
const MAX_MS = 500

/**
 * Resolves right after a turn of the event loop in which nothing came to a port: closed then, it loses hardly any call that lies unread
 * on a kept connection, or waits to be accepted, of which a turn takes one.
 */
export async function quietTurn(server: Server): Promise<void> {
  let came = false
  const comes = () => {
    came = true
  }
  for (const event of ['connection', 'request']) server.on(event, comes)
  // This turn may have looked already.
  await turn()
  const until = performance.now() + MAX_MS
  for (let isQuiet = false; !isQuiet && performance.now() < until; ) {
    came = false
    const before = performance.now()
    await turn()
    isQuiet = !came && performance.now() - before < QUIET_MS
  }
  for (const event of ['connection', 'request']) server.off(event, comes)
}
