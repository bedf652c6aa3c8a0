import * as http from 'node:http'
import type { AddressInfo } from 'node:net'

const EVERY_MS = 10

/** Receives webhooks on loopback, and answers so many a second: what a host sends keeps that pace. At once until told otherwise. */
export class PacedReceiver {
  /** Webhooks that were answered. */
  got = 0
  private rate = Number.POSITIVE_INFINITY
  private due = 0
  private lastAt = performance.now()
  private readonly waiting: http.ServerResponse[] = []
  private readonly timer = setInterval(() => this.answerDue(), EVERY_MS)
  private readonly server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      this.waiting.push(response)
      if (this.rate === Number.POSITIVE_INFINITY) this.answerDue()
    })
  })

  static async start(): Promise<PacedReceiver> {
    const receiver = new PacedReceiver()
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve))
    return receiver
  }

  urls(count: number): string[] {
    const { port } = this.server.address() as AddressInfo
    return Array.from({ length: count }, (_, n) => `http://127.0.0.1:${port}/${n}`)
  }

  /** Answers so many a second from now on. */
  answer(rate: number): void {
    this.rate = rate
    this.due = 0
    this.lastAt = performance.now()
  }

  close(): void {
    clearInterval(this.timer)
    this.server.closeAllConnections()
    this.server.close()
  }

  private answerDue(): void {
    const now = performance.now()
    this.due = this.rate === Number.POSITIVE_INFINITY ? this.rate : this.due + (this.rate * (now - this.lastAt)) / 1000
    this.lastAt = now
    for (const response of this.waiting.splice(0, Math.floor(this.due))) {
      response.end()
      this.got += 1
      this.due -= 1
    }
    // What was late is made up for, but not for long: a pause of the sender is followed by no burst.
    this.due = Math.min(this.due, this.rate / 2)
  }
}
