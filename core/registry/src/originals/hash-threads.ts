import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { FromThread, ToThread } from './hash-worker.js'
import type { Digests, Hashing } from './hashing.js'

/** Buffers of one job. */
const MAX_SLABS = 4
/** Further buffers of all jobs, besides the first of each: a slow upload needs only that one. */
const MAX_MORE_SLABS = 64
const SLAB_BYTES = 2 ** 20
const MAX_THREADS = Math.min(8, Math.max(2, availableParallelism()))

/** Receives a thread's messages about one job. */
interface Listener {
  onMessage(message: FromThread): void
  onError(error: Error): void
}

/** A hashing thread for any number of jobs; it does not keep the process alive without one. */
class HashThread {
  /** Total cost of its jobs. */
  load = 0
  private readonly jobs = new Map<number, Listener>()
  private readonly worker = new Worker(new URL('./hash-worker.js', import.meta.url))

  constructor() {
    this.worker.unref()
    this.worker.on('message', (message: FromThread) => this.jobs.get(message.job)?.onMessage(message))
    this.worker.on('error', (error: Error) => this.fail(error))
    this.worker.on('exit', (code) => this.fail(new Error(`A hashing thread ended with code ${code}`)))
  }

  take(job: number, cost: number, listener: Listener): void {
    this.load += cost
    this.jobs.set(job, listener)
    this.worker.ref()
  }

  leave(job: number, cost: number): void {
    if (!this.jobs.delete(job)) return
    this.load -= cost
    if (this.jobs.size === 0) this.worker.unref()
  }

  tell(message: ToThread): void {
    this.worker.postMessage(message)
  }

  private fail(error: Error): void {
    threads.delete(this)
    for (const listener of this.jobs.values()) listener.onError(error)
  }
}

/** The threads of this process, created on demand. */
const threads = new Set<HashThread>()
let lastJob = 0
let moreSlabs = 0

/** The least loaded thread, or a new one below the maximum. */
function freeThread(): HashThread {
  const [idlest] = [...threads].sort((a, b) => a.load - b.load)
  if (idlest !== undefined && (idlest.load === 0 || threads.size >= MAX_THREADS)) return idlest
  const added = new HashThread()
  threads.add(added)
  return added
}

/** The algorithms of one original that one thread computes. */
interface Share {
  readonly thread: HashThread
  readonly algorithms: string[]
  cost: number
}

/** Hashes an original in threads, algorithms in parallel; a few slabs of shared memory carry the bytes. */
export class ThreadHashing implements Hashing, Listener {
  private readonly job: number
  private readonly shares: readonly Share[]
  private readonly slabs: Uint8Array[] = []
  private readonly slabBytes: number
  /** A stack: the slab that was used last is taken next. */
  private readonly free: number[] = []
  /** Number of threads still reading each slab. */
  private readonly readers: number[] = []
  private isOver = false
  private filling: { readonly slab: number; length: number } | undefined
  private error: Error | undefined
  private wake: () => void = () => undefined
  private readonly result = new Map<string, Uint8Array>()

  constructor(algorithms: readonly { readonly oid: string; readonly cost: number }[], size: number) {
    lastJob += 1
    this.job = lastJob
    this.slabBytes = Math.min(SLAB_BYTES, size)
    this.shares = this.share(algorithms)
    const { job } = this
    for (const { thread, algorithms } of this.shares) thread.tell({ job, algorithms })
  }

  async update(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      this.filling ??= { slab: await this.freeSlab(), length: 0 }
      const { filling } = this
      const slab = this.slabs[filling.slab] ?? new Uint8Array()
      const part = chunk.subarray(at, at + slab.length - filling.length)
      slab.set(part, filling.length)
      filling.length += part.length
      at += part.length
      if (filling.length === slab.length) this.send()
    }
  }

  async digests(): Promise<Digests> {
    this.send()
    for (const { thread } of this.shares) thread.tell({ job: this.job, end: 'digests' })
    const wanted = this.shares.reduce((sum, { algorithms }) => sum + algorithms.length, 0)
    await this.until(() => this.result.size === wanted)
    this.leave()
    return this.result
  }

  drop(): void {
    for (const { thread } of this.shares) thread.tell({ job: this.job, end: 'drop' })
    this.leave()
  }

  onMessage(message: FromThread): void {
    if ('digests' in message) for (const [oid, value] of message.digests) this.result.set(oid, value)
    else {
      const left = (this.readers[message.slab] ?? 1) - 1
      this.readers[message.slab] = left
      if (left === 0) this.free.push(message.slab)
    }
    this.wake()
  }

  onError(error: Error): void {
    this.error = error
    this.wake()
  }

  /** Spreads algorithms over threads, slowest first, each to the least loaded thread. */
  private share(algorithms: readonly { readonly oid: string; readonly cost: number }[]): readonly Share[] {
    const shares = new Map<HashThread, Share>()
    for (const { oid, cost } of algorithms.toSorted((a, b) => b.cost - a.cost)) {
      const thread = freeThread()
      const share = shares.get(thread) ?? { thread, algorithms: [], cost: 0 }
      share.algorithms.push(oid)
      share.cost += cost
      shares.set(thread, share)
      thread.take(this.job, cost, this)
    }
    return [...shares.values()]
  }

  private leave(): void {
    if (this.isOver) return
    this.isOver = true
    moreSlabs -= Math.max(0, this.slabs.length - 1)
    for (const { thread, cost } of this.shares) thread.leave(this.job, cost)
  }

  private send(): void {
    if (this.filling === undefined) return
    const { slab, length } = this.filling
    this.filling = undefined
    this.readers[slab] = this.shares.length
    for (const { thread } of this.shares) thread.tell({ job: this.job, slab, length })
  }

  private async freeSlab(): Promise<number> {
    if (this.free.length === 0) this.addSlab()
    await this.until(() => this.free.length > 0)
    return this.free.pop() ?? 0
  }

  /** Adds a slab when all are being read and the process may have more. */
  private addSlab(): void {
    const { job } = this
    if (this.slabs.length === MAX_SLABS || (this.slabs.length > 0 && moreSlabs >= MAX_MORE_SLABS)) return
    if (this.slabs.length > 0) moreSlabs += 1
    const added = new Uint8Array(new SharedArrayBuffer(this.slabBytes))
    this.free.push(this.slabs.push(added) - 1)
    this.readers.push(0)
    for (const { thread } of this.shares) thread.tell({ job, added })
  }

  private async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.error) throw this.error
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
  }
}
