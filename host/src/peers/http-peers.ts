import { createHmac, timingSafeEqual } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import { HeldCallsByDirectory, type Logger, type Peers, type Registry } from '@signed-registry/core'
import type { FastifyInstance } from 'fastify'

const PATH = '/internal/procedures'
const TIMEOUT_MS = 2000

/** The credential among hosts of one registry, derived from the session secrets that they share. Valid for one procedure. */
const proofOf = (secret: string, procedureId: string): string =>
  `Bearer ${createHmac('sha256', secret).update(`wake\n${procedureId}`).digest('base64url')}`

/** Wakes held calls on other hosts over HTTP, at their addresses in the directory. */
export class HttpPeers implements Peers {
  /** `secrets` are those of sessions: the first signs, all verify. */
  constructor(
    readonly address: string,
    private readonly secrets: { readonly all: readonly string[] },
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  wake(address: string, procedureId: string): void {
    // What follows is which of its workers it was: any of them tells the others.
    const [url = ''] = address.split('#')
    if (url !== '') this.post(`${url}${PATH}/${procedureId}`, address, procedureId)
  }

  /** Serves the calls of other hosts, and passes them on. For anybody else the route does not exist. */
  serve(app: FastifyInstance, registry: Registry, passOn: (procedureId: string) => void = () => undefined): void {
    const held = registry.get(HeldCallsByDirectory)
    app.post<{ Params: { id: string } }>(
      `${PATH}/:id`,
      { schema: { hide: true } },
      ({ headers: { authorization = '' }, params: { id } }, reply) => {
        if (!this.secrets.all.some((secret) => isSame(authorization, proofOf(secret, id)))) return reply.callNotFound()
        held.wakeHere(id)
        passOn(id)
        return reply.code(204).send()
      },
    )
  }

  private post(url: string, address: string, procedureId: string): void {
    const { request } = url.startsWith('https:') ? https : http
    const headers = { authorization: proofOf(this.secrets.all[0] ?? '', procedureId) }
    // Internal addresses are in no certificate. An eavesdropper could do no more than wake this one procedure.
    const options = { method: 'POST', timeout: TIMEOUT_MS, rejectUnauthorized: false, headers }
    const sent = request(url, options, (answer) => {
      answer.resume()
      if (answer.statusCode !== 204) this.failed(address, `status ${answer.statusCode}`)
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')))
    sent.on('error', (error) => this.failed(address, error.message))
    sent.end()
  }

  private failed(address: string, problem: string): void {
    this.logger.warn('Another host was not told of a procedure, and will see it within seconds', { address, problem })
  }
}

function isSame(text: string, proof: string): boolean {
  const [given, due] = [Buffer.from(text), Buffer.from(proof)]
  return given.length === due.length && timingSafeEqual(given, due)
}
