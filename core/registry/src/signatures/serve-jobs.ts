import { parentPort, type Transferable } from 'node:worker_threads'
import type { FromThread, ToThread } from './job-thread.js'

/** Handlers of a `JobThread`'s messages. */
export interface Jobs<Message, Job, Answer> {
  told?(message: Message): void
  /** `transferred` are buffers to transfer with the answer. */
  answer(job: Job): { readonly answer: Answer; readonly transferred?: readonly Transferable[] }
}

/** Serves the jobs that a `JobThread` posts to this thread. */
export function serveJobs<Message, Job, Answer>(jobs: Jobs<Message, Job, Answer>): void {
  parentPort?.on('message', (given: ToThread<Message, Job>) => {
    if ('message' in given) return jobs.told?.(given.message)
    const { answer, transferred = [] } = jobs.answer(given.job)
    const told: FromThread<Answer> = { number: given.number, answer }
    parentPort?.postMessage(told, transferred)
  })
}
