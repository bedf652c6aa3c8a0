import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { FromThread, ToThread } from './hash-worker.js'
import type { Digests, Hashing } from './hashing.js'

/** Of one job. */
const SLABS = 4
/** Of all jobs, beside the first of each: what comes slowly needs no more than that one. */
const MORE_SLABS = 64
const SLAB_BYTES = 2 ** 20
const THREADS = Math.min(8, Math.max(2, availableParallelism()))

/** Hears what a thread tells about one job. */
interface Listener {
  told(message: FromThread): void
  failed(error: Error): void
}

/** A thread that hashes, for any number of jobs; the process may end while it has none. */
class HashThread {
  /** Of its jobs together. */
  load = 0
  private readonly jobs = new Map<number, Listener>()
  private readonly worker = new Worker(new URL('./hash-worker.js', import.meta.url))

  constructor() {
    this.worker.unref()
    this.worker.on('message', (message: FromThread) => this.jobs.get(message.job)?.told(message))
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
    for (const listener of this.jobs.values()) listener.failed(error)
  }
}

/** Those of this process: made when there is work for them. */
const threads = new Set<HashThread>()
let lastJob = 0
let moreSlabs = 0

/** The thread with the least to do, or a new one while there are few. */
function freeThread(): HashThread {
  const [idlest] = [...threads].sort((a, b) => a.load - b.load)
  if (idlest !== undefined && (idlest.load === 0 || threads.size >= THREADS)) return idlest
  const added = new HashThread()
  threads.add(added)
  return added
}

/** The part of the algorithms of one original that one thread computes. */
interface Share {
  readonly thread: HashThread
  readonly algorithms: string[]
  cost: number
}

/** Hashes an original in threads, every algorithm beside the others: bytes go there through a few slabs of shared memory. */
export class ThreadHashing implements Hashing, Listener {
  private readonly job: number
  private readonly shares: readonly Share[]
  private readonly slabs: Uint8Array[] = []
  private readonly slabBytes: number
  /** The one that was used last at the end: it is taken next. */
  private readonly free: number[] = []
  /** How many threads still read each slab. */
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

  told(message: FromThread): void {
    if ('digests' in message) for (const [oid, value] of message.digests) this.result.set(oid, value)
    else {
      const left = (this.readers[message.slab] ?? 1) - 1
      this.readers[message.slab] = left
      if (left === 0) this.free.push(message.slab)
    }
    this.wake()
  }

  failed(error: Error): void {
    this.error = error
    this.wake()
  }

  /** Spreads algorithms over threads, the slowest first, each to the thread with the least to do. */
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

  /** Where all are being read, while the process has some. */
  private addSlab(): void {
    const { job } = this
    if (this.slabs.length === SLABS || (this.slabs.length > 0 && moreSlabs >= MORE_SLABS)) return
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
