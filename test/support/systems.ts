import { once } from 'node:events'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { type Registry, SystemKeys } from '@signed-registry/core'

import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import { localCertificate } from '@signed-registry/dev-authorities'
import type { FastifyInstance } from 'fastify'
import { type Listener, listenForSystems } from '#host/listen-for-systems.js'
import type { TestClientCertificate } from './client-certificate.js'
import { BIN, headCaller } from './core-registry.js'

/** Opens a port for information systems on a free port; `folder` keeps its certificate. */
export const openSystemsPort = (app: FastifyInstance, folder: string): Promise<Listener> =>
  listenForSystems(app, { host: '127.0.0.1', port: 0, tls: localCertificate(folder), errorsStatus: 'semantic' })

/** Client certificates, some of them perhaps disabled. */
type Listed = readonly (TestClientCertificate & { disabled?: boolean; byKey?: boolean })[]

/** Replaces the client certificates of the organization; nobody has proved them. */
export async function listPending(registry: Registry, certificates: Listed, bin = BIN): Promise<void> {
  const tlsCertificatesList = certificates.map(({ pem, disabled = false, byKey = false }) => ({
    body: pem,
    disabled,
    byKey,
  }))
  await registry.get(SaveOrganizationSettings).execute(headCaller({ bin }), { request: { tlsCertificatesList } })
}

/** As `listPending`, and proves those that are not disabled, as their systems do. */
export async function listCertificates(registry: Registry, certificates: Listed, bin = BIN): Promise<void> {
  await listPending(registry, certificates, bin)
  for (const { der, disabled } of certificates) if (!disabled) await registry.get(SystemKeys).confirm(der, bin)
}

export interface TlsAnswer<T = Record<string, unknown>> {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly json: T
}

/** A client of the port for systems, with one connection that it keeps open. */
export class SystemClient {
  readonly #agent: https.Agent

  constructor(
    private readonly port: number,
    certificate?: Pick<TestClientCertificate, 'pem' | 'key'>,
    options: https.AgentOptions = {},
  ) {
    const identity = certificate && { cert: certificate.pem, key: certificate.key }
    this.#agent = new https.Agent({
      keepAlive: true,
      maxSockets: 1,
      rejectUnauthorized: false,
      ...identity,
      ...options,
    })
  }

  /** Sends JSON, or bytes as they are. */
  async ask<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TlsAnswer<T>> {
    const upload = body instanceof Uint8Array
    const bytes = upload || body === undefined ? body : JSON.stringify(body)
    const type = upload ? 'application/octet-stream' : 'application/json'
    const request = https.request({
      host: '127.0.0.1',
      port: this.port,
      path: `/api${path}`,
      method,
      agent: this.#agent,
      headers: {
        ...(bytes !== undefined && { 'content-type': type }),
        ...(upload && { 'content-length': String(body.length) }),
        ...headers,
      },
    })
    request.end(bytes)
    const [response] = await once(request, 'response')
    const answer = await text(response)
    return { status: response.statusCode, headers: response.headers, json: JSON.parse(answer) }
  }

  close(): void {
    this.#agent.destroy()
  }
}
