import { type Caller, kindOfOwner, type Owner, ownerOf } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import { ledgerErrors } from './errors.js'
import { type HostResource, type Share, Shares } from './shares.js'

/** An amount that was taken from a pool. */
export interface Taken {
  /** Gives it back; a second call does nothing. */
  release(): void
}

interface Waiting {
  readonly amount: number
  go(): void
}

/** How much of a pool is in use. */
export interface PoolState {
  /** In use by strangers, and in total. */
  readonly strangers: number
  readonly all: number
  /** Number of requests that wait. */
  readonly waiting: number
}

/** Which limit prevents taking more. */
type Shortage = 'own' | 'strangers' | 'whole'

/** Requests of one owner that may wait for their shares. */
const MAX_WAITING = 64
/** Milliseconds that a request waits at most. */
const WAIT_MS = 30_000
/** Seconds until there may be room again. */
const RETRY_AFTER = 5

/** A limited resource of one host: owners take of it within their shares, and those who wait are served in turns. */
export class Pool {
  private readonly taken = new Map<Owner, number>()
  private ofStrangers = 0
  private ofAll = 0
  /** Owners in the order of their turns, each with its waiting requests. */
  private readonly waiting = new Map<Owner, Waiting[]>()

  constructor(
    private readonly resource: string,
    private readonly share: Share,
  ) {}

  /** Takes an amount, or throws `shareTaken` or `serviceBusy`; never overtakes those who wait. */
  take(owner: Owner, amount: number): Taken {
    const wanted = this.atMost(owner, amount)
    const shortage = this.shortage(owner, wanted) ?? (this.isAwaited(owner) ? 'whole' : undefined)
    if (shortage !== undefined) throw this.refusal(owner, shortage)
    return this.give(owner, wanted)
  }

  /** Counts an amount that is in use already, such as an answer: never refused, but later callers wait longer for it. */
  charge(owner: Owner, amount: number): Taken {
    return this.give(owner, amount)
  }

  /**
   * Takes an amount as soon as it is free, capped at the limit. Rejects with `shareTaken` when too many requests of the
   * owner wait already, as `take` does after half a minute, and with the reason of an aborted signal.
   */
  async wait(owner: Owner, amount: number, signal?: AbortSignal): Promise<Taken> {
    const wanted = this.atMost(owner, amount)
    signal?.throwIfAborted()
    if (!this.isAwaited(owner) && this.shortage(owner, wanted) === undefined) return this.give(owner, wanted)
    const queue = this.waiting.get(owner) ?? []
    if (queue.length >= MAX_WAITING) throw this.refusal(owner, 'own')
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        queue.splice(queue.indexOf(waiting), 1)
        if (queue.length === 0) this.waiting.delete(owner)
      }
      const waiting: Waiting = {
        amount: wanted,
        go: () => {
          leave()
          resolve(this.give(owner, wanted))
        },
      }
      const giveUp = (reason: unknown) => {
        leave()
        reject(reason)
        // It may have blocked those behind it.
        this.serve()
      }
      const timer = setTimeout(() => giveUp(this.refusal(owner, this.shortage(owner, wanted) ?? 'whole')), WAIT_MS)
      timer.unref()
      const abort = () => giveUp(signal?.reason)
      signal?.addEventListener('abort', abort, { once: true })
      queue.push(waiting)
      this.waiting.set(owner, queue)
    })
  }

  /** How it stands now, for operators. */
  state(): PoolState {
    let waiting = 0
    for (const queue of this.waiting.values()) waiting += queue.length
    return { strangers: this.ofStrangers, all: this.ofAll, waiting }
  }

  private give(owner: Owner, amount: number): Taken {
    this.add(owner, amount)
    let isReleased = false
    return {
      release: () => {
        if (isReleased) return
        isReleased = true
        this.add(owner, -amount)
        this.serve()
      },
    }
  }

  private add(owner: Owner, amount: number): void {
    const own = (this.taken.get(owner) ?? 0) + amount
    if (own === 0) this.taken.delete(owner)
    else this.taken.set(owner, own)
    if (kindOfOwner(owner) === 'stranger') this.ofStrangers += amount
    this.ofAll += amount
  }

  private serve(): void {
    for (let next = this.nextTurn(); next !== undefined; next = this.nextTurn()) {
      const [owner, waiting] = next
      waiting.go()
      const left = this.waiting.get(owner)
      if (left === undefined) continue
      // The owner's next turn comes after everybody else's.
      this.waiting.delete(owner)
      this.waiting.set(owner, left)
    }
  }

  /**
   * The first in turn for whom there is enough. Where a large amount does not fit yet, nothing smaller overtakes it, or it
   * would wait for ever: a waiting stranger blocks other strangers, anybody else blocks everybody.
   */
  private nextTurn(): readonly [Owner, Waiting] | undefined {
    let isOpenToStrangers = true
    for (const [owner, [first]] of this.waiting) {
      const isStranger = kindOfOwner(owner) === 'stranger'
      if (first === undefined || (isStranger && !isOpenToStrangers)) continue
      const shortage = this.shortage(owner, first.amount)
      if (shortage === undefined) return [owner, first]
      if (shortage === 'own') continue
      if (!isStranger) return undefined
      isOpenToStrangers = false
    }
    return undefined
  }

  /** True where others of this kind wait for a shared limit, or earlier requests of this owner wait. */
  private isAwaited(owner: Owner): boolean {
    if (this.waiting.has(owner)) return true
    for (const [other, [first]] of this.waiting) {
      if (first === undefined || this.shortage(other, first.amount) === 'own') continue
      if (kindOfOwner(other) !== 'stranger' || kindOfOwner(owner) === 'stranger') return true
    }
    return false
  }

  private shortage(owner: Owner, amount: number): Shortage | undefined {
    const { strangers, whole } = this.share
    const kind = kindOfOwner(owner)
    const own = this.share[kind]
    if (own > 0 && (this.taken.get(owner) ?? 0) + amount > own) return 'own'
    if (kind === 'stranger' && strangers > 0 && this.ofStrangers + amount > strangers) return 'strangers'
    // Strangers never block authenticated callers: not large requests, and not by being charged beyond the strangers' share.
    const isBounded = strangers > 0 && strangers < whole
    const wanted = kind !== 'stranger' && isBounded ? Math.min(amount, whole - strangers) : amount
    const beyond = isBounded ? Math.max(0, this.ofStrangers - strangers) : 0
    return whole > 0 && this.ofAll - beyond + wanted > whole ? 'whole' : undefined
  }

  /** Nobody waits for more than they can ever get. */
  private atMost(owner: Owner, amount: number): number {
    const { strangers, whole } = this.share
    const kind = kindOfOwner(owner)
    const limits = [this.share[kind], kind === 'stranger' ? strangers : 0, whole].filter((limit) => limit > 0)
    return Math.min(amount, ...limits)
  }

  private refusal(owner: Owner, shortage: Shortage): Error {
    const details = { resource: this.resource, retryAfter: RETRY_AFTER }
    return shortage === 'own'
      ? ledgerErrors.error('shareTaken', { ...details, limit: this.share[kindOfOwner(owner)] })
      : ledgerErrors.error('serviceBusy', details)
  }
}

/** Counts what callers use of this host, by owner; asked before anything is buffered or processed. */
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

  /** Takes an amount at once. Throws `shareTaken` when the caller has too much, `serviceBusy` when all together have. */
  take(resource: HostResource, caller: Caller, amount: number): Taken {
    return this.pools[resource].take(ownerOf(caller), amount)
  }

  /** Takes an amount as soon as it is free, in turn with others; rejects as `take` does when that takes too long. */
  wait(resource: HostResource, caller: Caller, amount: number, signal?: AbortSignal): Promise<Taken> {
    return this.pools[resource].wait(ownerOf(caller), amount, signal)
  }

  /** Counts an amount that is in use already and can no longer be refused, such as an answer. */
  charge(resource: HostResource, caller: Caller, amount: number): Taken {
    return this.pools[resource].charge(ownerOf(caller), amount)
  }

  /** How much of each resource is in use on this host, for operators. */
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

  /** Runs work that holds an amount, taken as `wait` does. */
  async with<T>(resource: HostResource, caller: Caller, amount: number, work: () => Promise<T>): Promise<T> {
    const taken = await this.wait(resource, caller, amount)
    try {
      return await work()
    } finally {
      taken.release()
    }
  }
}
