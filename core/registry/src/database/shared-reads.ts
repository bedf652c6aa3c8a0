import type { Knex } from 'knex'
import { Batch, type BatchLimits } from '../kernel/batch.js'
import type { Row } from './table.js'

/** What we use of a connection of mysql2 that takes several statements at a time. */
export interface Reader {
  query(statements: { sql: string; timeout: number }, done: (error: Error | null, answer: unknown) => void): void
  format(sql: string, values: readonly Knex.Value[]): string
  on(event: 'error', listener: (error: Error) => void): void
  end(): void
  destroy(): void
}

interface Question {
  readonly sql: string
  readonly bindings: readonly Knex.Value[]
}

const READERS = 2
/** An extra batch finds no connection free, so its questions are asked one by one elsewhere. */
const LIMITS: BatchLimits = { items: 32, atOnce: READERS, whenSlow: { ms: 50, atOnce: Number.POSITIVE_INFINITY } }
/** Characters of one question in a batch; every server takes packets of at least a million. */
const MAX_CHARACTERS = 16_384
/** Milliseconds that a batch may take. */
const MAX_ANSWER_MS = 5000
/** Milliseconds after which unused connections are closed. */
const IDLE_MS = 30_000
/** Milliseconds until the next attempt to open a connection, after one failed. */
const REOPEN_AFTER_MS = 1000

/**
 * Sends in one packet the questions of one turn of the event loop, and those that arrive while others are under way: for a
 * small question the write to the socket is the largest cost. Each is answered as of some moment after it was asked; one
 * that cannot be, or would wait for long, must be asked by itself.
 */
export class SharedReads {
  private readonly questions = new Batch((questions: readonly Question[]) => this.askAll(questions), LIMITS)
  private readonly readers = new Set<Reader>()
  private readonly free: Reader[] = []
  private isOpening = false
  private reopenAt = 0
  private isClosed = false
  private readonly idleness = setTimeout(() => this.endFree(), IDLE_MS).unref()

  constructor(private readonly open: () => Promise<Reader>) {}

  /** The rows; `undefined` where the question must be asked by itself. */
  ask(sql: string, bindings: readonly Knex.Value[]): Promise<Row[] | undefined> {
    return this.questions.run({ sql, bindings })
  }

  /** Closes the connections. Later questions must be asked by themselves. */
  close(): void {
    this.isClosed = true
    clearTimeout(this.idleness)
    this.endFree()
  }

  private async askAll(questions: readonly Question[]): Promise<(Row[] | undefined)[]> {
    const reader = this.free.pop()
    if (reader === undefined) {
      if (this.readers.size < READERS) void this.addReader()
      return questions.map(() => undefined)
    }
    const statements = questions.map(({ sql, bindings }) => reader.format(sql, bindings))
    const isSmall = (statement: string) => statement.length <= MAX_CHARACTERS
    const answers = await this.send(reader, statements.filter(isSmall))
    return statements.map((statement) => (isSmall(statement) ? answers.shift() : undefined))
  }

  /** The rows of each statement; none if one failed: which one shows when each is asked by itself. */
  private async send(reader: Reader, statements: readonly string[]): Promise<(Row[] | undefined)[]> {
    if (statements.length === 0) {
      this.release(reader)
      return []
    }
    this.idleness.refresh()
    return new Promise((resolve) =>
      reader.query({ sql: statements.join(';\n'), timeout: MAX_ANSWER_MS }, (error, answer) => {
        const answers: unknown = statements.length === 1 ? [answer] : answer
        const isComplete = error === null && Array.isArray(answers) && answers.length === statements.length
        if (isComplete) this.release(reader)
        else this.drop(reader)
        resolve(isComplete ? answers.map((rows) => (Array.isArray(rows) ? rows : undefined)) : [])
      }),
    )
  }

  private async addReader(): Promise<void> {
    if (this.isOpening || this.isClosed || performance.now() < this.reopenAt) return
    this.isOpening = true
    try {
      const reader = await this.open()
      reader.on('error', () => this.drop(reader))
      this.readers.add(reader)
      this.release(reader)
    } catch {
      // Questions asked by themselves get the error of the database.
      this.reopenAt = performance.now() + REOPEN_AFTER_MS
    } finally {
      this.isOpening = false
    }
  }

  private release(reader: Reader): void {
    if (!this.readers.has(reader)) return
    this.free.push(reader)
    if (this.isClosed) this.endFree()
  }

  private drop(reader: Reader): void {
    if (!this.readers.delete(reader)) return
    if (this.free.includes(reader)) this.free.splice(this.free.indexOf(reader), 1)
    reader.destroy()
  }

  private endFree(): void {
    for (const reader of this.free.splice(0)) {
      this.readers.delete(reader)
      reader.end()
    }
  }
}
