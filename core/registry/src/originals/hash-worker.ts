import { parentPort } from 'node:worker_threads'
import { digestAlgorithm, type Hasher } from '@signed-registry/verifier'
import { loadNativeStreebog } from './native-streebog.js'

/** A message to a hashing thread about one of its jobs. */
export type ToThread =
  | { readonly job: number; readonly algorithms: readonly string[] }
  /** A further slab for its bytes. */
  | { readonly job: number; readonly added: Uint8Array }
  /** Hash so many bytes of a slab. */
  | { readonly job: number; readonly slab: number; readonly length: number }
  | { readonly job: number; readonly end: 'digests' | 'drop' }

/** A message from it: a slab was read, or the digests. */
export type FromThread =
  | { readonly job: number; readonly slab: number }
  | { readonly job: number; readonly digests: readonly (readonly [string, Uint8Array])[] }

interface Job {
  readonly hashers: readonly (readonly [string, Hasher])[]
  readonly slabs: Uint8Array[]
}

loadNativeStreebog()
const jobs = new Map<number, Job>()
const tell = (message: FromThread) => parentPort?.postMessage(message)

parentPort?.on('message', (message: ToThread) => {
  const { job } = message
  if ('algorithms' in message) {
    const hashers = message.algorithms.map((oid) => [oid, digestAlgorithm(oid).create()] as const)
    jobs.set(job, { hashers, slabs: [] })
    return
  }
  const { hashers = [], slabs = [] } = jobs.get(job) ?? {}
  if ('added' in message) {
    slabs.push(message.added)
    return
  }
  if ('end' in message) {
    jobs.delete(job)
    if (message.end === 'digests') tell({ job, digests: hashers.map(([oid, hasher]) => [oid, hasher.digest()]) })
    return
  }
  const bytes = slabs[message.slab]?.subarray(0, message.length) ?? new Uint8Array()
  for (const [, hasher] of hashers) hasher.update(bytes)
  tell({ job, slab: message.slab })
})
