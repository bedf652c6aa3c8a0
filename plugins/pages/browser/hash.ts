import { Told } from './api.js'
import { texts } from './texts.js'

export const SHA256 = '2.16.840.1.101.3.4.2.1'
export const STREEBOG512 = '1.2.398.3.10.1.3.3'
/** Hashes that a browser can compute here, the usual one first. */
export const ALGORITHMS = [
  SHA256,
  '2.16.840.1.101.3.4.2.2',
  '2.16.840.1.101.3.4.2.3',
  STREEBOG512,
  '1.2.398.3.10.1.3.2',
  '1.2.398.3.10.1.3.1',
] as const
export type Algorithm = (typeof ALGORITHMS)[number]

/** Whether a hash can be computed here. */
export const isAlgorithm = (oid: string): oid is Algorithm => ALGORITHMS.some((known) => known === oid)

/** A request to the worker. */
export interface HashQuestion {
  readonly file: Blob
  readonly algorithms: readonly Algorithm[]
}

/** Messages of the worker: progress, and finally the hashes in the order of the algorithms. */
export type HashNews =
  | { readonly done: number }
  | { readonly digests: readonly Uint8Array[] }
  | { readonly failure: string }

type OnProgress = (done: number) => void

/** Hashes a file of any size: it is read once, in chunks, by a worker, and never leaves the computer. */
export function hashesOf(
  file: Blob,
  onProgress: OnProgress,
  algorithms: readonly Algorithm[],
): Promise<readonly Uint8Array[]> {
  const worker = new Worker(new URL('./hash-worker.js', import.meta.url), { type: 'module' })
  return new Promise<readonly Uint8Array[]>((resolve, reject) => {
    worker.onerror = () => reject(new Told(texts.unreadable))
    worker.onmessage = ({ data }: MessageEvent<HashNews>) => {
      if ('done' in data) onProgress(file.size === 0 ? 1 : data.done / file.size)
      else if ('digests' in data) resolve(data.digests)
      else reject(new Told(texts.unreadable))
    }
    const question: HashQuestion = { file, algorithms }
    worker.postMessage(question)
  }).finally(() => worker.terminate())
}

/** The hash of a file, as `hashesOf`. */
export async function hashOf(
  file: Blob,
  onProgress: OnProgress = () => undefined,
  algorithm: Algorithm = SHA256,
): Promise<Uint8Array> {
  const [digest] = await hashesOf(file, onProgress, [algorithm])
  if (digest === undefined) throw new Told(texts.unreadable)
  return digest
}
