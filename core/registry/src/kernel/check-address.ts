import type { Finding } from './check.js'
import { type OutboundClient, OutboundError } from './outbound.js'

const NOT_ADMITTED = new Set([401, 403])
const MAX_ANSWER = 16 * 1024

/** Whether an HTTP service can be reached, by a GET that asks it for nothing: whatever it answers below 500 will do. */
export async function checkAddress(client: OutboundClient, url: string, signal: AbortSignal): Promise<Finding> {
  const { origin } = new URL(url)
  try {
    const limits = { timeoutMs: 10_000, maxBytes: MAX_ANSWER, ifLarger: 'cut' } as const
    const { status } = await client.send({ url, method: 'GET', signal, ...limits })
    if (NOT_ADMITTED.has(status))
      return { state: 'warn', text: `${origin} answers ${status}: ask its operator whether it knows our certificate` }
    if (status < 500) return { state: 'ok', text: `${origin} answers` }
    return { state: 'fail', text: `${origin} answers ${status}: ask its operator when it will work again` }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return {
      state: 'fail',
      text: `${origin}: ${error.message}; see whether its address, our certificate and trust are right`,
    }
  }
}
