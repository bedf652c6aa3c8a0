import { RegistryError } from '@signed-registry/core'
import { genTimeOf } from '@signed-registry/verifier'
import { isForgettable, type PublicEntry, readPublicEntry } from '@signed-registry/verifier/log'
import type { AuditReport } from './audit-report.js'
import type { Followed } from './audit-state.js'
import { isKey } from './checkpoint-keys.js'

/** Keys of one log, and logs that it follows, that are kept from one reading. */
const MAX_KEPT = 64

/** Tells the entries of a log that everybody can read; keeps the keys that it names for its own checkpoints, and whom it follows. */
export class PublicEntries {
  /** Verifier keys of this log, in the order of their entries. */
  readonly keys: string[] = []
  /** The logs that this one says it follows. */
  readonly follows: Followed[] = []

  constructor(
    private readonly origin: string,
    private readonly report: AuditReport,
  ) {}

  /** Takes an entry; salted ones say nothing. */
  take(index: number, bytes: Uint8Array): void {
    let entry: PublicEntry | undefined
    try {
      entry = readPublicEntry(bytes)
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error
      const text = `entry ${index} is of a kind that this program does not know: audit with a newer version`
      this.report.find({ code: 'entryUnknown', weight: 'notice', index, text })
      return
    }
    if (entry === undefined) return
    this.report.entry(index, this.textOf(entry), factsOf(entry))
    if (entry.kind === 'forgotten' && !isForgettable(entry.entryKind)) {
      const text = `entry ${index} says that entry ${entry.index}, of the kind ${entry.entryKind}, was forgotten, which no registry forgets: ask the operator, and those who have a proof of that entry`
      this.report.find({ code: 'neverForgotten', weight: 'wrong', index, text })
    }
    if (entry.kind === 'succession') {
      const { origin, size, root } = entry
      const followed = { index, origin, size, root: Buffer.from(root).toString('base64') }
      if (!keep(this.follows, followed)) this.passOver('tooManySuccessions', index, 'follows a log')
    }
    if (entry.kind === 'logKey' && isKey(entry.verifierKey) && entry.verifierKey.startsWith(`${this.origin}+`))
      if (!keep(this.keys, entry.verifierKey)) this.passOver('tooManyKeys', index, 'announces a key')
  }

  private passOver(code: string, index: number, does: string): void {
    const text = `entry ${index} ${does} after ${MAX_KEPT} others, and is passed over: ask the operator what happens there`
    this.report.find({ code, weight: 'wrong', index, text })
  }

  private textOf(entry: PublicEntry): string {
    switch (entry.kind) {
      case 'forgotten':
        return `forgotten: entry ${entry.index}${entry.origin === this.origin ? '' : ` of ${entry.origin}`}, ${entry.entryKind} (${entry.reason})`
      case 'stamp':
        return `the checkpoint of ${entry.size} entries was stamped at ${stampTime(entry.token) ?? 'a time that cannot be read'}`
      case 'statementKey':
        return `statements of the registry are signed by ${entry.verifierKey}`
      case 'logKey':
        return `checkpoints may be signed by ${entry.verifierKey}`
      case 'succession':
        return `this log follows ${entry.origin}, as it was at ${entry.size} entries`
    }
  }
}

/** Whether there was room for one more. */
const keep = <T>(kept: T[], one: T): boolean => kept.length < MAX_KEPT && kept.push(one) > 0

/** As the token says, which is not verified here. */
function stampTime(token: Uint8Array): string | undefined {
  const time = genTimeOf(token)
  return time === undefined ? undefined : new Date(time).toISOString()
}

function factsOf(entry: PublicEntry): object {
  if (entry.kind === 'succession') return { ...entry, root: Buffer.from(entry.root).toString('base64') }
  if (entry.kind !== 'stamp') return entry
  const stampedAt = stampTime(entry.token)
  return { kind: entry.kind, size: entry.size, ...(stampedAt !== undefined && { stampedAt }) }
}
