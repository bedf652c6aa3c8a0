import { parentPort, type Transferable } from 'node:worker_threads'
import type { FromThread, ToThread } from './job-thread.js'

/** What the module of a `JobThread` does with what comes. */
export interface Jobs<Message, Job, Answer> {
  told?(message: Message): void
  /** `transferred` are buffers that the answer gives away. */
  answer(job: Job): { readonly answer: Answer; readonly transferred?: readonly Transferable[] }
}

/** Answers what a `JobThread` asks of this thread. */
export function serveJobs<Message, Job, Answer>(jobs: Jobs<Message, Job, Answer>): void {
  parentPort?.on('message', (given: ToThread<Message, Job>) => {
    if ('message' in given) return jobs.told?.(given.message)
    const { answer, transferred = [] } = jobs.answer(given.job)
    const told: FromThread<Answer> = { number: given.number, answer }
    parentPort?.postMessage(told, transferred)
  })
}
