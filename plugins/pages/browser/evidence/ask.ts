import type { EvidenceAnswer, EvidenceQuestion } from './question.js'

/** Asks the verifier in a worker, which is ended with its answer; rejects where it breaks, or is no longer wanted. */
export function askVerifier(worker: Worker, question: EvidenceQuestion, signal: AbortSignal): Promise<EvidenceAnswer> {
  return new Promise<EvidenceAnswer>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
    worker.onmessage = ({ data }: MessageEvent<EvidenceAnswer>) => resolve(data)
    worker.onerror = ({ message }) => reject(new Error(message))
    worker.postMessage(question)
  }).finally(() => worker.terminate())
}
