import { type Caller, ownerOf } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import { Pool, type PoolState, type Taken } from './pool.js'
import { type HostResource, Shares } from './shares.js'

/** What callers take of this host, by owner: asked before anything is buffered or worked on. */
export class Ledger {
  static readonly inject = { shares: Shares }
  private readonly pools: Readonly<Record<HostResource, Pool>>

  constructor({ shares }: Injected<typeof Ledger.inject>) {
    this.pools = {
      memory: new Pool('memory', shares.memory),
      spooledJson: new Pool('spooledJson', shares.spooledJson),
      uploads: new Pool('uploads', shares.uploads),
      downloads: new Pool('downloads', shares.downloads),
      heldCalls: new Pool('heldCalls', shares.heldCalls),
      cards: new Pool('cards', shares.cards),
    }
  }

  /** Takes so much at once. Throws `shareTaken` when the caller, and `serviceBusy` when all together have too much. */
  take(resource: HostResource, caller: Caller, amount: number): Taken {
    return this.pools[resource].take(ownerOf(caller), amount)
  }

  /** Takes so much as soon as it is there, in turn with others; rejects as `take` when that takes too long. */
  wait(resource: HostResource, caller: Caller, amount: number, signal?: AbortSignal): Promise<Taken> {
    return this.pools[resource].wait(ownerOf(caller), amount, signal)
  }

  /** Counts what is there already and cannot be refused any more, such as an answer. */
  charge(resource: HostResource, caller: Caller, amount: number): Taken {
    return this.pools[resource].charge(ownerOf(caller), amount)
  }

  /** How much of everything is taken on this host, for operators. */
  state(): Readonly<Record<HostResource, PoolState>> {
    const { memory, spooledJson, uploads, downloads, heldCalls, cards } = this.pools
    return {
      memory: memory.state(),
      spooledJson: spooledJson.state(),
      uploads: uploads.state(),
      downloads: downloads.state(),
      heldCalls: heldCalls.state(),
      cards: cards.state(),
    }
  }

  /** Works with so much, taken as `wait` does, until the work is over. */
  async with<T>(resource: HostResource, caller: Caller, amount: number, work: () => Promise<T>): Promise<T> {
    const taken = await this.wait(resource, caller, amount)
    try {
      return await work()
    } finally {
      taken.release()
    }
  }
}
