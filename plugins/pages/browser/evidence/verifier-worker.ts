import type { EvidenceAnswer, EvidenceQuestion } from './question.js'

/** The verifier in a worker. Once it is started it needs no network, and answers one question after the other. */
export class VerifierWorker {
  private worker: Worker | undefined

  constructor(private readonly make: () => Worker) {}

  /** Starts the worker, if it has not been. */
  start(): Worker {
    this.worker ??= this.make()
    return this.worker
  }

  /** Asks the verifier; rejects where it breaks, or is no longer wanted: the worker is ended then. */
  ask(question: EvidenceQuestion, signal: AbortSignal): Promise<EvidenceAnswer> {
    const worker = this.start()
    return new Promise<EvidenceAnswer>((resolve, reject) => {
      const end = (reason: unknown) => {
        worker.terminate()
        if (this.worker === worker) this.worker = undefined
        reject(reason)
      }
      const onAbort = () => end(signal.reason)
      if (signal.aborted) return reject(signal.reason)
      signal.addEventListener('abort', onAbort)
      worker.onmessage = ({ data }: MessageEvent<EvidenceAnswer>) => {
        signal.removeEventListener('abort', onAbort)
        resolve(data)
      }
      // Without a message its script could not be loaded: a TypeError, as `fetch` has it without a connection.
      worker.onerror = ({ message }) => end(message ? new Error(message) : new TypeError('The verifier was not loaded'))
      worker.postMessage(question)
    })
  }
}
