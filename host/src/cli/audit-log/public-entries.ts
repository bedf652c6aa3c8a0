import { RegistryError } from '@signed-registry/core'
import { genTimeOf } from '@signed-registry/verifier'
import { isForgettable, type PublicEntry, readPublicEntry } from '@signed-registry/verifier/log'
import type { AuditReport } from './audit-report.js'
import { type AuditState, type Followed, MAX_NAME } from './audit-state.js'
import { isKey } from './checkpoint-keys.js'
import { short, shortFacts } from './short-text.js'

/** Keys of one log, and logs that it follows, that are kept of all its entries. */
const MAX_KEPT = 64

/** Tells the entries of a log that everybody can read; keeps the keys that it names for its own checkpoints, and whom it follows. */
export class PublicEntries {
  private readonly origin: string
  /** Verifier keys of this log: those that were known, then those that entries announce, in the order of these. */
  keys: readonly string[]
  /** The logs that this one says it follows. */
  follows: readonly Followed[]

  constructor(
    { origin, keys, follows }: Pick<AuditState, 'origin' | 'keys' | 'follows'>,
    private readonly report: AuditReport,
  ) {
    this.origin = origin
    this.keys = keys
    this.follows = follows
  }

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
      const text = `entry ${index} says that entry ${entry.index}, of the kind ${short(entry.entryKind)}, was forgotten, which no registry forgets: ask the operator, and those who have a proof of that entry`
      this.report.find({ code: 'neverForgotten', weight: 'wrong', index, text })
    }
    if (entry.kind === 'succession') {
      const { origin, size, root } = entry
      const others = this.follows.filter((one) => one.index !== index)
      if (this.hasRoom('tooManySuccessions', index, `follows ${short(origin)}`, origin, others))
        this.follows = [...others, { index, origin, size, root: Buffer.from(root).toString('base64') }]
    }
    if (entry.kind === 'logKey' && isKey(entry.verifierKey) && entry.verifierKey.startsWith(`${this.origin}+`)) {
      const key = entry.verifierKey
      const others = this.keys.filter((one) => one !== key)
      if (this.hasRoom('tooManyKeys', index, `announces the key ${short(key)}`, key, others))
        this.keys = [...others, key]
    }
  }

  /** Whether one more is kept: a log must not make the file too large that keeps what it signed. */
  private hasRoom(code: string, index: number, does: string, name: string, others: readonly unknown[]): boolean {
    const isTooLong = name.length > MAX_NAME
    if (!isTooLong && others.length < MAX_KEPT) return true
    const why = isTooLong ? `in more than ${MAX_NAME} characters` : `after ${MAX_KEPT} others`
    const text = `entry ${index} ${does} ${why}, and is passed over: ask the operator what happens there`
    this.report.find({ code: isTooLong ? 'nameTooLong' : code, weight: 'wrong', index, text })
    return false
  }

  private textOf(entry: PublicEntry): string {
    switch (entry.kind) {
      case 'forgotten':
        return `forgotten: entry ${entry.index}${entry.origin === this.origin ? '' : ` of ${short(entry.origin)}`}, ${short(entry.entryKind)} (${short(entry.reason)})`
      case 'stamp':
        return `the checkpoint of ${entry.size} entries was stamped at ${stampTime(entry.token) ?? 'a time that cannot be read'}`
      case 'statementKey':
        return `statements of the registry are signed by ${short(entry.verifierKey)}`
      case 'logKey':
        return `checkpoints may be signed by ${short(entry.verifierKey)}`
      case 'succession':
        return `this log follows ${short(entry.origin)}, as it was at ${entry.size} entries`
    }
  }
}

/** As the token says, which is not verified here. */
function stampTime(token: Uint8Array): string | undefined {
  const time = genTimeOf(token)
  return time === undefined ? undefined : new Date(time).toISOString()
}

function factsOf(entry: PublicEntry): object {
  if (entry.kind === 'succession') return shortFacts({ ...entry, root: Buffer.from(entry.root).toString('base64') })
  if (entry.kind !== 'stamp') return shortFacts(entry)
  const stampedAt = stampTime(entry.token)
  return { kind: entry.kind, size: entry.size, ...(stampedAt !== undefined && { stampedAt }) }
}
