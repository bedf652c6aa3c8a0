import { port } from './port.js'
import type { Injected } from './service.js'
import { settledWithin } from './settled-within.js'

/** What was read anew, is good, and waits until everything else is, too. */
export interface Reread {
  /** What differs from before, in words without secrets; `undefined` when nothing does. */
  readonly changed: string | undefined
  /** Makes it count from now on; must not fail. */
  apply(): void
}

/** A part that reads files while a registry runs, when it is told to. */
export interface Reloadable {
  /** Reads and checks, and changes nothing. Rejects, in words for the operator, with what is wrong. */
  reread(): Promise<Reread>
}
export const Reloadable = port<Reloadable>('Reloadable', 'contribution')

/** Something could not be read anew, so nothing has changed: one line for each thing that is wrong. */
export class ReloadRefused extends Error {
  override readonly name = 'ReloadRefused'

  constructor(readonly wrong: readonly string[]) {
    super(wrong.join('; '))
  }
}

const READ_MS = 15_000

/** Reads anew what can change while a registry runs: all of it, or nothing. */
export class Reloads {
  static readonly inject = { parts: Reloadable }
  private last: Promise<unknown> = Promise.resolve()

  constructor(private readonly use: Injected<typeof Reloads.inject>) {}

  /** Answers what has changed, also of `more` that is not a part of the registry. Rejects with `ReloadRefused`. */
  reload(more: readonly Reloadable[] = []): Promise<readonly string[]> {
    // One at a time: what was read first must not come to count last.
    const reloaded = this.last.then(() => this.all([...more, ...this.use.parts]))
    this.last = reloaded.catch(() => undefined)
    return reloaded
  }

  private async all(parts: readonly Reloadable[]): Promise<readonly string[]> {
    const read = await Promise.allSettled(parts.map((part) => settledWithin(READ_MS, () => part.reread())))
    const wrong = read.flatMap((one) => (one.status === 'rejected' ? [wordsOf(one.reason)] : []))
    if (wrong.length > 0) throw new ReloadRefused(wrong)
    return read.flatMap((one) => {
      if (one.status === 'rejected') return []
      one.value.apply()
      return one.value.changed ?? []
    })
  }
}

const wordsOf = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason))
