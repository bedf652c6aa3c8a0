import type { DevAuthorities } from '@signed-registry/dev-authorities'
import { onlineAuthorities } from '@signed-registry/online-authorities'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { statusOfKind } from '#host/error-status.js'
import type { OpenDatabase } from './databases.js'
import { startTestHost, type TestHost } from './host.js'
import { type Answer, postJson, request } from './http.js'
import { testClock } from './pki/authorities.js'
import { AuthorityServer } from './pki/authority-server.js'

/** Everything that a refused request must leave unchanged; calls to authorities are counted, too. */
const KEPT = [
  'registry_documents',
  'registry_document_digests',
  'registry_search_texts',
  'registry_search_words',
  'registry_search_endings',
  'registry_signatures',
  'registry_timelines',
  'registry_user_settings',
  'registry_organizations',
  'registry_audit_events',
  'registry_deliveries',
]

/** A stock host with authorities over HTTP and a stopped clock, which counts what it stores. */
export class CarefulHost {
  private constructor(
    private readonly host: TestHost,
    readonly server: AuthorityServer,
    private readonly messages: Readonly<Record<string, object>>,
  ) {}

  /** `timeoutMs` is how long it waits for an authority. */
  static async start(open: OpenDatabase, authorities: DevAuthorities, { timeoutMs = 3000 } = {}): Promise<CarefulHost> {
    const server = await AuthorityServer.start(() => authorities)
    const clock = testClock()
    const { anchors, intermediates } = authorities
    const { tspUrl, ocspUrl } = server
    const trustAnchors = [...anchors, ...intermediates]
    const plugins = [onlineAuthorities({ trustAnchors, tspUrl, ocspUrl, timeoutMs })]
    const host = await startTestHost(open, { authorities, clock, plugins })
    const strings = await request<{ errorMessages: Record<string, object> }>(`${host.url}/api/strings`)
    return new CarefulHost(host, server, strings.json.errorMessages)
  }

  get api(): string {
    return `${this.host.url}/api`
  }

  async close(): Promise<void> {
    await this.host.close()
    await this.server.close()
  }

  /** A registration by a signature. */
  register(signature: Buffer | string, fields: object = {}): Promise<Answer> {
    return postJson(this.api, { signature: signature.toString('base64'), ...fields })
  }

  /** Registers, or fails the test; gives the identifier. */
  async registered(signature: Buffer | string, fields: object = {}): Promise<string> {
    const { status, text, json } = await this.register(signature, fields)
    expect(status, text).to.equal(200)
    return String(json.documentId)
  }

  /** Makes a request that must be refused with an error of the catalogue and leave nothing behind; gives its code. */
  async refused(attempt: () => Promise<Answer>, ...statuses: number[]): Promise<string> {
    const before = await this.#kept()
    const { status, text, json } = await attempt()
    expect(status, text).to.be.oneOf(statuses)
    expect(json.requestID).to.match(/^[A-Za-z0-9]{16}$/)
    expect(this.messages[String(json.message)], text).to.have.all.keys('ru', 'kk', 'description')
    expect(await this.#kept()).to.deep.equal(before)
    return String(json.code)
  }

  async #kept(): Promise<Record<string, unknown>> {
    const { query } = this.host.registry.get(Database)
    const counts: Record<string, unknown> = {}
    for (const table of KEPT) counts[table] = (await query(table).count({ rows: '*' }))[0]?.rows
    return counts
  }
}

/** Statuses of malformed requests and of unacceptable signatures. */
export const { invalid: INVALID, unacceptable: UNACCEPTABLE, unavailable: UNAVAILABLE } = statusOfKind
