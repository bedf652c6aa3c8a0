import type { Message } from './messages.js'

/** Answers a question of another worker. */
type Answer = (body: unknown) => unknown

/** The other workers of this host, as one of them reaches them. */
export class Siblings {
  private readonly topics = new Map<string, Answer>()
  private readonly asked = new Map<number, (bodies: readonly unknown[]) => void>()
  private asks = 0

  constructor(
    /** Which worker this is, from 1. */
    readonly number: number,
    /** How many workers the host has, this one included. */
    readonly count: number,
    /** A random name of the host, until it ends. */
    readonly host: string,
    private readonly send: (message: Message) => void,
  ) {}

  /** Takes what others tell or ask about a topic. */
  on(topic: string, answer: Answer): void {
    this.topics.set(topic, answer)
  }

  /** Tells all others: best effort, in the background. */
  tell(topic: string, body: unknown): void {
    this.send({ kind: 'tell', topic, body })
  }

  /** Asks all others; answers what those said that run and answered within a second. */
  ask(topic: string, body: unknown): Promise<readonly unknown[]> {
    this.asks += 1
    const id = this.asks
    return new Promise((resolve) => {
      this.asked.set(id, resolve)
      this.send({ kind: 'ask', id, topic, body })
    })
  }

  /** Takes a message of the process that started the workers. */
  receive(message: Message): void {
    if (message.kind === 'tell') void this.topics.get(message.topic)?.(message.body)
    else if (message.kind === 'ping') this.send({ kind: 'pong' })
    else if (message.kind === 'ask') void this.answer(message)
    else if (message.kind === 'answers') {
      this.asked.get(message.id)?.(message.bodies)
      this.asked.delete(message.id)
    }
  }

  private async answer({ id, topic, body }: Message & { kind: 'ask' }): Promise<void> {
    const answered = await Promise.resolve(body)
      .then((asked) => this.topics.get(topic)?.(asked))
      .catch(() => undefined)
    this.send({ kind: 'answer', id, body: answered })
  }
}
