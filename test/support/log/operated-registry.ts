import { provideValue, type RegistryOptions } from '@signed-registry/core'
import { GetLog, type PublicLog } from '@signed-registry/core/log'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { evidenceAsic } from '@signed-registry/evidence-asic'
import { type EvidenceVerdict, verifyEvidence } from '@signed-registry/verifier'
import { readLogPolicy } from '@signed-registry/verifier/log'
import { Database } from '#core/database/database.js'
import { defaultLogTimes, LogTimes, LogWorker } from '#core/log/log-worker.js'
import { startTestHost, type TestHost } from '../host.js'
import { postBytes, postJson, request } from '../http.js'
import { LOG_KEY } from '../log-key.js'
import { MINUTE, type TestClock, testAuthorities, testClock } from '../pki/authorities.js'
import { trustOf } from '../pki/trust.js'
import { RecordingLogger } from '../recording-logger.js'

const HOUR = 60 * MINUTE

/** Name of the log of every operated registry: one of them stands for another state of another. */
export const OPERATED_LOG = 'registry.example/log'

/** A registered document, as its holder knows it. */
export interface HeldDocument {
  readonly id: string
  readonly signId: number
  readonly data: Buffer<ArrayBuffer>
}

/** What a test may choose. */
export interface OperatedOptions {
  readonly database: string
  /** Three hours ago unless given, so that nothing of it is too young to be missed. */
  readonly clock?: TestClock
  readonly log?: Exclude<RegistryOptions['log'], 'off' | undefined>
  readonly isLogOff?: boolean
}

/** A registry over HTTP whose operator may do anything to its database; its log is moved on by hand. */
export class OperatedRegistry {
  private constructor(
    private readonly host: TestHost,
    readonly clock: TestClock,
    readonly database: string,
  ) {}

  static async start({ database, log, isLogOff, clock = testClock(Date.now() - 3 * HOUR) }: OperatedOptions) {
    const authorities = testAuthorities({ clock })
    // Another host on the same database need not wait for its turn.
    const noTurns = { name: 'no turns', provides: [provideValue(LogTimes, { ...defaultLogTimes, turnMs: 0 })] }
    const host = await startTestHost(async () => database, {
      clock,
      authorities,
      logger: new RecordingLogger(),
      plugins: [devAuthorities({ authorities }), evidenceAsic({}), noTurns],
      registry: { log: isLogOff === true ? 'off' : { key: LOG_KEY, origin: OPERATED_LOG, ...log } },
    })
    return new OperatedRegistry(host, clock, database)
  }

  get url(): string {
    return this.host.url
  }

  /** What the operator does to the database. */
  get query() {
    return this.host.registry.get(Database).query
  }

  /** For what an operator does with the program. */
  get registry() {
    return this.host.registry
  }

  get authorities() {
    return this.host.authorities
  }

  /** Somebody registers a signed document. */
  async register(): Promise<HeldDocument> {
    const data = Buffer.from(`I owe you ${Math.random()} tenge.`)
    const signature = this.authorities.person().signCms(data).toString('base64')
    const { json } = await postJson<{ documentId: string }>(`${this.url}/api`, { title: 'Note.txt', signature })
    const id = json.documentId
    await postBytes(`${this.url}/api/${id}/data`, data)
    const { signatures } = (await request<{ signatures: { signId: number }[] }>(`${this.url}/api/${id}`)).json
    return { id, signId: signatures[0]?.signId ?? 0, data }
  }

  /** Takes what was registered into the tree, and publishes a checkpoint. */
  integrate(): Promise<void> {
    return this.registry.get(LogWorker).run()
  }

  /** The same an hour later, when a checkpoint gets its time stamp. */
  async stamp(): Promise<void> {
    await this.integrate()
    this.clock.time += HOUR
    await this.integrate()
  }

  log(): Promise<PublicLog> {
    return this.registry.get(GetLog).execute()
  }

  /** The evidence bundle that anybody who may view the document gets. */
  async bundle({ id, data }: HeldDocument): Promise<Buffer<ArrayBuffer>> {
    const headers = { accept: 'application/zip', 'content-type': 'application/octet-stream' }
    const answer = await fetch(`${this.url}/api/${id}/evidence`, { method: 'POST', headers, body: data })
    if (answer.status !== 200) throw new Error(`No bundle: ${await answer.text()}`)
    return Buffer.from(await answer.arrayBuffer())
  }

  /** What the holder of a bundle finds out without the registry; the policy asks for no witnesses unless given. */
  async judge(bundle: Uint8Array, policy?: string): Promise<EvidenceVerdict> {
    const { verifierKey } = await this.log()
    const logPolicy = readLogPolicy(policy ?? `log ${verifierKey}\nquorum none\n`)
    return verifyEvidence(bundle, { trust: trustOf(this.authorities), at: Date.now(), logPolicy })
  }

  /** The outcome of a bundle that is made now, and what its log says of the signature. */
  async judgeNow(document: HeldDocument): Promise<readonly string[]> {
    const { outcome, evidence } = await this.judge(await this.bundle(document))
    return [outcome, ...evidence.log.filter(({ signId }) => signId !== undefined).map(({ state }) => state)]
  }

  close(): Promise<void> {
    return this.host.close()
  }
}
