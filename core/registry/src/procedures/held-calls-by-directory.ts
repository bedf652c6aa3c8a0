import { Database } from '../database/database.js'
import { integer, optional, table, text, word } from '../database/table.js'
import { Clock } from '../kernel/clock.js'
import { newId } from '../kernel/ids.js'
import { Logger } from '../kernel/logger.js'
import { outsideOfRequests } from '../kernel/outside-of-requests.js'
import type { Injected } from '../kernel/service.js'
import type { HeldCall, HeldCalls, HeldSide } from './held-calls.js'
import { Peers } from './peers.js'
import { ProcedureStore } from './procedure-store.js'

/** A call that is held on this host. */
class LocalCall implements HeldCall {
  /** Version of the procedure at the last poll. */
  version: number | undefined
  private isWoken = false
  private isSuperseded = false
  private resolve: (() => void) | undefined

  constructor(
    readonly id: string,
    readonly procedureId: string,
    readonly side: HeldSide,
    private readonly onEnd: (call: LocalCall) => Promise<void>,
  ) {}

  async next(ms: number, signal?: AbortSignal): Promise<boolean> {
    signal?.throwIfAborted()
    if (!this.isWoken && !this.isSuperseded) await this.pause(ms, signal)
    signal?.throwIfAborted()
    this.isWoken = false
    return !this.isSuperseded
  }

  wake(): void {
    this.isWoken = true
    this.resolve?.()
  }

  supersede(): void {
    this.isSuperseded = true
    this.resolve?.()
  }

  end(): Promise<void> {
    return this.onEnd(this)
  }

  private pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        this.resolve = undefined
        resolve()
      }
      const timer = setTimeout(done, Math.max(0, ms))
      signal?.addEventListener('abort', done, { once: true })
      this.resolve = done
    })
  }
}

const directory = table('registry_held_calls', {
  id: text('id'),
  procedureId: text('procedure_id'),
  side: word<HeldSide>('side', ['data', 'result', 'watch']),
  host: optional(text('host')),
  since: integer('since'),
})

/** Hosts wake each other; a poll of the database catches wake-ups that got lost. */
const POLL_MS = 2000
const ROWS_AT_ONCE = 500

/** Records each held call and its host in a row, and wakes calls by HTTP between hosts. */
export class HeldCallsByDirectory implements HeldCalls {
  static readonly inject = {
    database: Database,
    procedures: ProcedureStore,
    peers: Peers,
    clock: Clock,
    logger: Logger,
  }
  private readonly calls = new Map<string, LocalCall>()
  private looking: NodeJS.Timeout | undefined

  constructor(private readonly use: Injected<typeof HeldCallsByDirectory.inject>) {}

  async begin(procedureId: string, side: HeldSide): Promise<HeldCall> {
    const call = new LocalCall(newId(), procedureId, side, (ended) => this.end(ended))
    const host = this.use.peers.address
    const row = directory.row({ id: call.id, procedureId, side, host, since: this.use.clock.now() })
    if (side === 'watch') await this.rows().insert(row)
    else {
      for (const { id, host: of } of await this.replace(call, row)) {
        this.calls.get(id)?.supersede()
        if (of !== undefined && of !== host) this.use.peers.wake(of, procedureId)
      }
    }
    this.calls.set(call.id, call)
    this.lookAround()
    return call
  }

  wake(procedureId: string): void {
    this.use.database.afterCommit(() => {
      this.wakeHere(procedureId)
      this.wakeOthers(procedureId).catch((error: unknown) =>
        this.use.logger.warn('Other hosts were not told of a procedure, and will see it themselves', { error }),
      )
    })
  }

  /** Wakes the calls on this host, on behalf of another host. */
  wakeHere(procedureId: string): void {
    for (const call of this.calls.values()) if (call.procedureId === procedureId) call.wake()
  }

  /** Deletes rows left by hosts that are gone. */
  async sweep(before: number): Promise<void> {
    await this.rows().where('since', '<', before).delete()
  }

  /** Replaces the earlier calls of a side; answers those. */
  private replace(call: LocalCall, row: Record<string, unknown>) {
    const { procedureId, side } = call
    return this.use.database.transaction(async () => {
      const where = directory.row({ procedureId, side })
      const others = await this.rows()
        .where(where)
        .select(...directory.only('id', 'host'))
      await this.rows().where(where).delete()
      await this.rows().insert(row)
      return others.map((other) => directory.read(other))
    })
  }

  private async end(call: LocalCall): Promise<void> {
    this.calls.delete(call.id)
    if (this.calls.size === 0) {
      clearInterval(this.looking)
      this.looking = undefined
    }
    await this.rows().where({ id: call.id }).delete()
  }

  private async wakeOthers(procedureId: string): Promise<void> {
    const hosts = await this.rows().where(directory.row({ procedureId })).whereNotNull('host').distinct('host')
    for (const { host } of hosts) if (host !== this.use.peers.address) this.use.peers.wake(host, procedureId)
  }

  private lookAround(): void {
    const look = () => {
      this.look().catch((error: unknown) => this.use.logger.warn('Held calls could not look around', { error }))
    }
    this.looking ??= outsideOfRequests(() => setInterval(look, POLL_MS).unref())
  }

  /** Polls for changes by other hosts: procedures, and calls that replaced ours. */
  private async look(): Promise<void> {
    const mine = [...this.calls.values()]
    for (let from = 0; from < mine.length; from += ROWS_AT_ONCE) {
      const some = mine.slice(from, from + ROWS_AT_ONCE)
      const ids = some.map(({ id }) => id)
      const known = new Set<unknown>(await this.rows().whereIn('id', ids).pluck('id'))
      const versions = await this.use.procedures.versions([...new Set(some.map(({ procedureId }) => procedureId))])
      for (const call of some) {
        if (!known.has(call.id)) call.supersede()
        else if (call.version !== versions.get(call.procedureId)) call.wake()
        call.version = versions.get(call.procedureId)
      }
    }
  }

  private rows() {
    return this.use.database.query(directory.name)
  }
}
