import { AuthorityUnavailable, anyAddress, OutboundClient, OutboundError } from '@signed-registry/core'

/** A request to an authority, and limits for its response. */
export interface Exchange {
  readonly url: string
  readonly body: Uint8Array
  readonly contentType: string
  readonly accept: string
  /** For the whole exchange, from connecting to the last octet; milliseconds. */
  readonly timeoutMs: number
  /** Octets. */
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** Connections to authorities; `close` drops those that are open. */
export class AuthorityConnections {
  // Authorities are configured by the operator and may be in the same network.
  private readonly client = new OutboundClient({ guard: anyAddress })

  /** Posts a request and gives the body of a 200 answer of the right type; rejects with `AuthorityUnavailable` alone. */
  async post({ url, body, contentType, accept, timeoutMs, maxBytes, signal }: Exchange): Promise<Uint8Array> {
    const headers = { 'content-type': contentType, accept }
    const answer = await this.client
      .send({ url, headers, body, timeoutMs, maxBytes: maxBytes, ifLarger: 'refuse', signal })
      .catch(unavailable)
    if (answer.status >= 300 && answer.status < 400) throw new AuthorityUnavailable('redirect', false)
    if (answer.status !== 200) throw new AuthorityUnavailable('httpStatus', answer.status >= 500)
    const type = answer.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
    if (type !== accept) throw new AuthorityUnavailable('contentType', false)
    return answer.body
  }

  close(): void {
    this.client.close()
  }
}

function unavailable(error: unknown): never {
  const told = error instanceof OutboundError ? error.reason : 'unreachable'
  const reason = told === 'forbiddenAddress' || told === 'forbiddenPort' ? 'unreachable' : told
  throw new AuthorityUnavailable(reason, reason === 'unreachable', { cause: error })
}
