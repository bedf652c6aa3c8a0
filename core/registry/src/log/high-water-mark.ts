import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Checkpoint, readCheckpoint } from '@signed-registry/verifier/log'
import type { Injected } from '../kernel/service.js'
import { LogSettings } from './log-settings.js'

/**
 * The largest checkpoint that this host has signed or seen published, in a file outside the database: a database that was
 * restored to an earlier state does not know it, and must not sign another tree of that size.
 */
export class HighWaterMark {
  static readonly inject = { settings: LogSettings }
  /** Of the names of its files. */
  protected readonly prefix: string = 'log'
  private readonly known = new Map<string, Checkpoint>()

  constructor(private readonly use: Injected<typeof HighWaterMark.inject>) {}

  /** The mark of a log; `undefined` where none was kept. Throws where its file cannot be read. */
  of(name: string): Checkpoint | undefined {
    const known = this.known.get(name)
    if (known !== undefined) return known
    const text = this.read(name)
    if (text === undefined) return undefined
    const mark = readCheckpoint(text)
    this.known.set(name, mark)
    return mark
  }

  /** Keeps the text of a larger checkpoint; it is on disk when this returns. */
  raise(name: string, text: string): void {
    const checkpoint = readCheckpoint(text)
    const before = this.of(name)
    if (before !== undefined && before.size >= checkpoint.size) return
    const file = this.file(name)
    if (file !== undefined) writeDurably(file, text)
    this.known.set(name, checkpoint)
  }

  private read(name: string): string | undefined {
    const file = this.file(name)
    if (file === undefined) return undefined
    try {
      return readFileSync(file, 'utf8')
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw error
    }
  }

  private file(name: string): string | undefined {
    const { folder } = this.use.settings
    return folder === undefined ? undefined : join(folder, `${this.prefix}-${name}.checkpoint`)
  }
}

/** Replaces a file at once: after a crash it has the old content or the new. */
function writeDurably(file: string, text: string): void {
  mkdirSync(join(file, '..'), { recursive: true })
  const unfinished = `${file}.${process.pid}`
  const opened = openSync(unfinished, 'w', 0o600)
  try {
    writeSync(opened, text)
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
  renameSync(unfinished, file)
  const folder = openSync(join(file, '..'), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
