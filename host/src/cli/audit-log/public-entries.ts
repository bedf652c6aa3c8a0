import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { RegistryError } from '@signed-registry/core'
import { genTimeOf, readNote } from '@signed-registry/verifier'
import { type PublicEntry, readCheckpoint, readPublicEntry } from '@signed-registry/verifier/log'
import type { AuditReport } from './audit-report.js'
import { readState, stateFile } from './audit-state.js'
import { isKey } from './checkpoint-keys.js'

/** Keys of one log that are kept from one reading. */
const MAX_KEYS = 64

/** Tells the entries of a log that everybody can read, and keeps the keys that it names for its own checkpoints. */
export class PublicEntries {
  /** Verifier keys of this log, in the order of their entries. */
  readonly keys: string[] = []

  constructor(
    private readonly origin: string,
    /** Where states of other logs are looked for. */
    private readonly ownState: string,
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
    if (entry.kind === 'succession') this.judgeSuccession(index, entry)
    if (entry.kind === 'logKey') this.keep(index, entry.verifierKey)
  }

  private keep(index: number, key: string): void {
    const isOwn = isKey(key) && key.startsWith(`${this.origin}+`)
    if (isOwn && this.keys.length < MAX_KEYS) this.keys.push(key)
    else if (isOwn) {
      const text = `entry ${index} announces a key after ${MAX_KEYS} others, and is passed over: ask the operator what happens there`
      this.report.find({ code: 'tooManyKeys', weight: 'wrong', index, text })
    }
  }

  private textOf(entry: PublicEntry): string {
    switch (entry.kind) {
      case 'forgotten':
        return `forgotten: entry ${entry.index}${entry.origin === this.origin ? '' : ` of ${entry.origin}`} (${entry.reason})`
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

  /** What a log held above the size at which another one follows it is in neither. */
  private judgeSuccession(index: number, { origin, size, root }: Extract<PublicEntry, { kind: 'succession' }>): void {
    const lost = `what ${origin} signed from entry ${size} on is not in the registry's log any more`
    const file = join(dirname(this.ownState), stateFile(origin))
    const kept = existsSync(file) ? readState(file) : undefined
    if (kept === undefined) {
      const text = `${lost}: audit that log at its own address, and ask the operator why it ended`
      this.report.find({ code: 'succession', weight: 'notice', index, text })
      return
    }
    const before = readCheckpoint(readNote(kept.note).text)
    if (before.size > size) {
      const text = `${lost}, and ${file} has its signed checkpoint of ${before.size} entries: ${before.size - size} are lost; ask the operator for their backup`
      this.report.find({ code: 'successionLoses', weight: 'wrong', index, text, facts: { lost: before.size - size } })
    } else if (before.size === size && Buffer.compare(before.root, root) !== 0) {
      const text = `this log follows another tree of ${size} entries than the one whose signed checkpoint is in ${file}: that checkpoint and this entry prove it; show them to others`
      this.report.find({ code: 'successionForks', weight: 'wrong', index, text })
    } else
      this.report.find({ code: 'succession', weight: 'notice', index, text: `${lost}; ${file} has nothing above it` })
  }
}

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
