import type { Message } from './messages.js'

/** A worker, as the process that started it reaches it. */
export interface Recipient {
  send(message: Message): void
}

/** A question that others have yet to answer. */
interface Question {
  readonly from: Recipient
  readonly id: number
  readonly waiting: Set<Recipient>
  readonly bodies: unknown[]
  readonly timer: NodeJS.Timeout
}

const ANSWERED_WITHIN_MS = 1000

/** Passes messages on between workers, and gathers what all of them answer to one. */
export class Relay {
  private readonly workers = new Set<Recipient>()
  private readonly questions = new Map<number, Question>()
  private asks = 0

  /** Passes messages on to this worker from now on. */
  add(worker: Recipient): void {
    this.workers.add(worker)
  }

  /** A worker has ended: nobody waits for what it would have answered. */
  remove(worker: Recipient): void {
    this.workers.delete(worker)
    for (const id of this.questions.keys()) this.answered(id, worker)
  }

  receive(from: Recipient, message: Message): void {
    const others = [...this.workers].filter((worker) => worker !== from)
    if (message.kind === 'tell') for (const other of others) other.send(message)
    else if (message.kind === 'answer') this.answered(message.id, from, message.body)
    else if (message.kind === 'ask') {
      this.asks += 1
      const id = this.asks
      const timer = setTimeout(() => this.finish(id), ANSWERED_WITHIN_MS)
      this.questions.set(id, { from, id: message.id, waiting: new Set(others), bodies: [], timer })
      for (const other of others) other.send({ ...message, id })
      if (others.length === 0) this.finish(id)
    }
  }

  private answered(id: number, worker: Recipient, body?: unknown): void {
    const question = this.questions.get(id)
    if (question?.waiting.delete(worker) !== true) return
    if (body !== undefined) question.bodies.push(body)
    if (question.waiting.size === 0) this.finish(id)
  }

  private finish(id: number): void {
    const question = this.questions.get(id)
    if (question === undefined) return
    clearTimeout(question.timer)
    this.questions.delete(id)
    question.from.send({ kind: 'answers', id: question.id, bodies: question.bodies })
  }
}
