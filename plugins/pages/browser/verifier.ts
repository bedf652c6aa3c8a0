import { VerifierWorker } from './verifier-worker.js'

/** The verifier of the page, in a worker. */
export const verifier = new VerifierWorker(() => new Worker(new URL('./evidence-worker.js', import.meta.url)))
