import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ArchiveStore, provideValue } from '@signed-registry/core'
import type { BegunProcedure, BegunRawProcedure } from '@signed-registry/core/procedures'

import { DevPhone, devAuthorities, localCertificate, type Subject } from '@signed-registry/dev-authorities'
import { type GovQrRelayOptions, govQrRelay } from '@signed-registry/gov-qr-relay'
import { expect } from 'chai'
import { type OpenDatabase, openSqlite } from './databases.js'
import { startTestHost, type TestHost, type TestHostOptions } from './host.js'
import { type Answer, postBytes, postJson, request } from './http.js'
import { logInOverHttp } from './login-over-http.js'
import { MemoryStore } from './memory-store.js'
import { presentAuthorities } from './pki/authorities.js'

const EVIDENCE = { timeStamp: true, ocsp: true }
let made = 0

/** A service over TLS whose domain the app trusts. */
export interface TrustedService {
  readonly host: TestHost
  /** How it is reached. */
  readonly relay: GovQrRelayOptions
  phone(signer: Subject): DevPhone
  close(): Promise<void>
}

/** Starts a real host in the place of the service that the app trusts. */
export async function startTrustedService(options: TestHostOptions = {}): Promise<TrustedService> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-relay-'))
  const { cert, key } = localCertificate(folder)
  const tls = { cert: Buffer.from(cert), key: Buffer.from(key) }
  const host = await startTestHost(openSqlite, { ...options, tls })
  return {
    host,
    relay: { url: `${host.url}/api/govQr`, trust: cert },
    phone: (signer) => new DevPhone(signer, signer, cert),
    async close() {
      await host.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** What a test may choose. */
interface RelayedHostOptions extends TestHostOptions {
  /** Originals, where several hosts have them in common. */
  readonly store?: MemoryStore
}

/** A host that the app does not come to, with a person who is logged in. */
export class RelayedHost {
  private constructor(
    readonly host: TestHost,
    readonly person: Subject,
    private readonly cookie: string,
  ) {}

  /** Starts a host that brings the app by a relay. */
  static async start(
    open: OpenDatabase,
    relay: GovQrRelayOptions,
    { authorities = presentAuthorities(), store = new MemoryStore(), ...options }: RelayedHostOptions = {},
  ): Promise<RelayedHost> {
    const originals = { name: 'memory', provides: [provideValue(ArchiveStore, store)] }
    const plugins = [devAuthorities({ authorities }), govQrRelay(relay), originals]
    const host = await startTestHost(open, { authorities, plugins, ...options })
    host.registry.start()
    const person = host.authorities.person()
    return new RelayedHost(host, person, await logInOverHttp(host.url, person))
  }

  ask<T = Record<string, unknown>>(method: string, path: string, body?: object): Promise<Answer<T>> {
    return request<T>(`${this.host.url}/api${path}`, {
      method,
      headers: { cookie: this.cookie, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  }

  /** Registers a document whose original is kept for an hour; gives its path below `/api`. */
  async register(): Promise<string> {
    const original = Buffer.from(`Договор ${++made}`)
    const signature = this.person.signCms(original, EVIDENCE).toString('base64')
    const settings = { tempStorageAfterRegistration: 3_600_000 }
    const body = { title: 'a.pdf', signature, settings }
    const { documentId } = (await postJson<{ documentId: string }>(`${this.host.url}/api`, body)).json
    await postBytes(`${this.host.url}/api/${documentId}/data`, original)
    return `/${documentId}`
  }

  async begin(of: string, body: object = {}): Promise<BegunProcedure> {
    const answer = await this.ask<BegunProcedure>('POST', `${of}/govQr`, { description: 'Подпишите', ...body })
    expect(answer.status, answer.text).to.equal(200)
    return answer.json
  }

  async beginRaw(body: object = {}): Promise<BegunRawProcedure> {
    const answer = await this.ask<BegunRawProcedure>('POST', '/govQr', { description: 'Raw', ...body })
    expect(answer.status, answer.text).to.equal(200)
    return answer.json
  }

  async record(of: string, { operationId }: BegunProcedure): Promise<Record<string, unknown>> {
    return (await this.ask('GET', `${of}/govOperation/${operationId}`)).json
  }

  async signaturesOf(of: string): Promise<unknown> {
    return (await this.ask('GET', of)).json.signaturesTotal
  }

  close(): Promise<void> {
    return this.host.close()
  }
}
