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
/** A batch more finds no connection free, so that its questions are asked by themselves. */
const LIMITS: BatchLimits = { items: 32, atOnce: READERS, whenSlow: { ms: 50, atOnce: Number.POSITIVE_INFINITY } }
/** Characters of one question that goes together with others; a server takes a million at least. */
const MAX_CHARACTERS = 16_384
/** Milliseconds that questions may take that went together. */
const ANSWERED_WITHIN = 5000
/** Milliseconds after which connections that nobody needs are closed. */
const IDLE = 30_000
/** Milliseconds until a connection is tried again that could not be opened. */
const TRIED_AGAIN_AFTER = 1000

/**
 * Sends the questions to the database together that come in one turn of the event loop, and those that come while others
 * are on their way: to write to a socket costs a host more than all else about a small question. Each is answered as of a
 * moment after it was asked. What is not answered together, for whatever reason, or would have to wait for long, is to be
 * asked by itself.
 */
export class SharedReads {
  private readonly questions = new Batch((questions: readonly Question[]) => this.askAll(questions), LIMITS)
  private readonly readers = new Set<Reader>()
  private readonly free: Reader[] = []
  private isOpening = false
  private openedNotBefore = 0
  private isClosed = false
  private readonly idleness = setTimeout(() => this.endFree(), IDLE).unref()

  constructor(private readonly open: () => Promise<Reader>) {}

  /** The rows; `undefined` where the question is to be asked by itself. */
  ask(sql: string, bindings: readonly Knex.Value[]): Promise<Row[] | undefined> {
    return this.questions.run({ sql, bindings })
  }

  /** Ends the connections. Whatever is asked from now on is to be asked by itself. */
  close(): void {
    this.isClosed = true
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

  /** The rows of each statement; none where one of them failed: whose fault it is shows when each asks by itself. */
  private async send(reader: Reader, statements: readonly string[]): Promise<(Row[] | undefined)[]> {
    if (statements.length === 0) {
      this.release(reader)
      return []
    }
    this.idleness.refresh()
    return new Promise((resolve) =>
      reader.query({ sql: statements.join(';\n'), timeout: ANSWERED_WITHIN }, (error, answer) => {
        const answers: unknown = statements.length === 1 ? [answer] : answer
        const isWhole = error === null && Array.isArray(answers) && answers.length === statements.length
        if (isWhole) this.release(reader)
        else this.drop(reader)
        resolve(isWhole ? answers.map((rows) => (Array.isArray(rows) ? rows : undefined)) : [])
      }),
    )
  }

  private async addReader(): Promise<void> {
    if (this.isOpening || this.isClosed || performance.now() < this.openedNotBefore) return
    this.isOpening = true
    try {
      const reader = await this.open()
      reader.on('error', () => this.drop(reader))
      this.readers.add(reader)
      this.release(reader)
    } catch {
      // Who asks by itself is told why the database takes no connection.
      this.openedNotBefore = performance.now() + TRIED_AGAIN_AFTER
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
