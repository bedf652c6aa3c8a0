import { readdirSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readNote } from '@signed-registry/verifier'
import { type Checkpoint, readCheckpoint } from '@signed-registry/verifier/log'
import { replaceFile } from '../kernel/replace-file.js'
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
  /** Where there is no folder: until the process ends. */
  private readonly known = new Map<string, string>()
  private writing: Promise<void> = Promise.resolve()

  constructor(private readonly use: Injected<typeof HighWaterMark.inject>) {}

  /** The mark of a log; `undefined` where none was kept. Throws where its file cannot be read. */
  of(name: string): Checkpoint | undefined {
    const text = this.read(name)
    // An operator may have put a checkpoint there as it is served: with its signatures.
    return text === undefined ? undefined : readCheckpoint(text.includes('\n\n') ? readNote(text).text : text)
  }

  /** The mark of a log, and the names of all that have one; `undefined` where something of it cannot be read. */
  kept(name: string): { readonly mark: Checkpoint | undefined; readonly names: readonly string[] } | undefined {
    try {
      return { mark: this.of(name), names: this.names() }
    } catch {
      return undefined
    }
  }

  /** The names of all logs that have one. Throws where the folder cannot be read. */
  names(): string[] {
    const { folder } = this.use.settings
    if (folder === undefined) return [...this.known.keys()]
    const file = new RegExp(`^${this.prefix}-([0-9a-f]{16})\\.checkpoint$`)
    const files = unlessAbsent(() => readdirSync(folder)) ?? []
    return files.map((name) => file.exec(name)?.[1]).filter((name) => name !== undefined)
  }

  /** The origins of the logs of these names; `undefined` of one whose mark cannot be read. */
  origins(names: readonly string[] = this.names()): (string | undefined)[] {
    return names.map((name) => this.kept(name)?.mark?.origin)
  }

  /** Keeps the text of a larger checkpoint; it is on disk when this resolves. Marks are raised one after the other. */
  raise(name: string, text: string): Promise<void> {
    const raised = this.writing.then(() => this.replace(name, text))
    this.writing = raised.catch(() => undefined)
    return raised
  }

  private async replace(name: string, text: string): Promise<void> {
    // Read again, since another process may share the folder.
    const before = this.of(name)
    if (before !== undefined && before.size >= readCheckpoint(text).size) return
    const file = this.file(name)
    if (file === undefined) {
      this.known.set(name, text)
      return
    }
    await mkdir(dirname(file), { recursive: true })
    await replaceFile(file, text)
  }

  private read(name: string): string | undefined {
    const file = this.file(name)
    return file === undefined ? this.known.get(name) : unlessAbsent(() => readFileSync(file, 'utf8'))
  }

  private file(name: string): string | undefined {
    const { folder } = this.use.settings
    return folder === undefined ? undefined : join(folder, `${this.prefix}-${name}.checkpoint`)
  }
}

function unlessAbsent<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
