import type { EvidenceAnswer, EvidenceQuestion } from './evidence/question.js'
import type { SignedFileAnswer, SignedFileQuestion } from './files/shown-file.js'

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
    return this.answerTo(question, signal)
  }

  /** Asks it about a file that may be signed, as `ask`. */
  askAboutFile(question: SignedFileQuestion, signal: AbortSignal): Promise<SignedFileAnswer> {
    return this.answerTo(question, signal)
  }

  private answerTo<Answer>(question: EvidenceQuestion | SignedFileQuestion, signal: AbortSignal): Promise<Answer> {
    const worker = this.start()
    return new Promise<Answer>((resolve, reject) => {
      const end = (reason: unknown) => {
        worker.terminate()
        if (this.worker === worker) this.worker = undefined
        reject(reason)
      }
      const onAbort = () => end(signal.reason)
      if (signal.aborted) return reject(signal.reason)
      signal.addEventListener('abort', onAbort)
      worker.onmessage = ({ data }: MessageEvent<Answer>) => {
        signal.removeEventListener('abort', onAbort)
        resolve(data)
      }
      // Without a message its script could not be loaded: a TypeError, as `fetch` has it without a connection.
      worker.onerror = ({ message }) => end(message ? new Error(message) : new TypeError('The verifier was not loaded'))
      worker.postMessage(question)
    })
  }
}
