import type { Knex } from 'knex'
import { Impatience } from './impatience.js'
import type { Row } from './rows.js'

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
  /** With the rows, or without them where the question is to be asked by itself. */
  answer(rows?: Row[]): void
}

const READERS = 2
const MOST_TOGETHER = 32
/** Characters of one question that goes together with others; a server takes a million at least. */
const MOST_CHARACTERS = 16_384
/** Milliseconds that a question waits until others are answered. */
const PATIENCE = 50
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
  private readonly waiting: Question[] = []
  private readonly readers = new Set<Reader>()
  private readonly free: Reader[] = []
  private isOpening = false
  private openedNotBefore = 0
  private isClosed = false
  private readonly impatience = new Impatience(PATIENCE, () => this.giveUp())
  private readonly idleness = setTimeout(() => this.endFree(), IDLE).unref()

  constructor(private readonly open: () => Promise<Reader>) {}

  /** The rows; `undefined` where the question is to be asked by itself. */
  ask(sql: string, bindings: readonly Knex.Value[]): Promise<Row[] | undefined> {
    return new Promise((answer) => {
      this.waiting.push({ sql, bindings, answer })
      if (this.waiting.length === 1) setImmediate(() => this.send())
    })
  }

  /** Ends the connections. Whatever is asked from now on is to be asked by itself. */
  close(): void {
    this.isClosed = true
    this.endFree()
    this.send()
  }

  private send(): void {
    while (this.waiting.length > 0) {
      const reader = this.free.pop()
      if (reader === undefined) break
      this.sendOver(reader, this.waiting.splice(0, MOST_TOGETHER))
    }
    if (this.waiting.length > 0 && this.readers.size < READERS) void this.addReader()
    // Who comes first does not wait for the connection that others will have.
    if (this.readers.size === 0) this.giveUp()
    if (this.waiting.length > 0) this.impatience.begin()
    else this.impatience.end()
  }

  private sendOver(reader: Reader, questions: readonly Question[]): void {
    const together: Question[] = []
    const statements: string[] = []
    for (const question of questions) {
      const statement = reader.format(question.sql, question.bindings)
      if (statement.length > MOST_CHARACTERS) question.answer()
      else {
        together.push(question)
        statements.push(statement)
      }
    }
    if (together.length === 0) {
      this.release(reader)
      return
    }
    this.idleness.refresh()
    reader.query({ sql: statements.join(';\n'), timeout: ANSWERED_WITHIN }, (error, answer) => {
      const answers: unknown = together.length === 1 ? [answer] : answer
      if (error === null && Array.isArray(answers) && answers.length === together.length) {
        for (const [at, rows] of answers.entries()) together[at]?.answer(Array.isArray(rows) ? rows : undefined)
        this.release(reader)
      } else {
        // Whose fault it is shows when each asks by itself.
        for (const question of together) question.answer()
        this.drop(reader)
      }
    })
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
    this.send()
  }

  private drop(reader: Reader): void {
    if (!this.readers.delete(reader)) return
    if (this.free.includes(reader)) this.free.splice(this.free.indexOf(reader), 1)
    reader.destroy()
    this.send()
  }

  private endFree(): void {
    for (const reader of this.free.splice(0)) {
      this.readers.delete(reader)
      reader.end()
    }
  }

  private giveUp(): void {
    this.impatience.end()
    for (const question of this.waiting.splice(0)) question.answer()
  }
}
