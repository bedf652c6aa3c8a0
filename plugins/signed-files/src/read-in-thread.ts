import { Worker } from 'node:worker_threads'
import { type FoundFile, fileErrors, RegistryError } from '@signed-registry/core'
import type { ErrorDetails, ErrorKind } from '@signed-registry/verifier'
import type { Spooled } from './spool.js'

/** What a thread is given: a file that is open already. */
export type ReadJob = Pick<Spooled, 'descriptor' | 'size'>

/** What it answers. */
export type ReadAnswer =
  | { readonly found: FoundFile }
  | {
      readonly refusal: {
        readonly code: string
        readonly kind: ErrorKind
        readonly message: string
        readonly details: ErrorDetails | undefined
      }
    }

interface Bounds {
  readonly memoryMb: number
  readonly timeoutMs: number
}

/** Reads a file in a thread of its own, which ends with it. Rejects with `fileNotRead`, or `signedFilesBusy` where the thread broke. */
export async function readInThread({ descriptor, size }: Spooled, { memoryMb, timeoutMs }: Bounds): Promise<FoundFile> {
  const workerData: ReadJob = { descriptor, size }
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  let timeout: NodeJS.Timeout | undefined
  const answer = await new Promise<ReadAnswer | 'timeout' | 'broken'>((resolve) => {
    timeout = setTimeout(() => resolve('timeout'), timeoutMs)
    worker.on('message', resolve)
    worker.on('error', () => resolve('broken'))
    worker.on('exit', () => resolve('broken'))
  })
  clearTimeout(timeout)
  // The descriptor must not be closed while it reads.
  await worker.terminate()
  if (answer === 'timeout' || answer === 'broken') throw fileErrors.error('signedFilesBusy', { reason: answer })
  if ('found' in answer) return answer.found
  const { code, kind, message, details } = answer.refusal
  throw new RegistryError(code, { kind, message }, { details })
}
