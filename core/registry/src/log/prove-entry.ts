import { setTimeout as pause } from 'node:timers/promises'
import { RegistryError, readNote, verifySignedNote } from '@signed-registry/verifier'
import {
  isIncluded,
  LogTileError,
  leafHash,
  readCheckpoint,
  saltedEntry,
  writeLogProof,
} from '@signed-registry/verifier/log'
import type { Injected } from '../kernel/service.js'
import { CheckpointStore, type PublishedCheckpoint } from './checkpoint-store.js'
import { hasQuorum } from './has-quorum.js'
import { KeyChangeStore } from './key-change-store.js'
import { LogEntries, type LogEntry } from './log-entries.js'
import { LogSettings } from './log-settings.js'
import { type Log, LogStore } from './log-store.js'
import { type KnownTree, LogTree } from './log-tree.js'
import { LoggedTexts, type SaltedKind } from './logged-facts.js'

/**
 * What the log proves of a fact: `off`: nothing, since the registry keeps no log; `absent`: nothing, since it was stored while
 * none was kept; `pending`: nothing yet; `changed`: that it is not what was logged; `broken`: the log cannot be read.
 */
export type ProvedEntry =
  | { readonly state: 'off' | 'absent' | 'pending' | 'changed' | 'broken' }
  | {
      readonly state: 'logged'
      /** Name of the log in checkpoints. */
      readonly origin: string
      /** Key of the log that signed the checkpoint; `undefined` where none did that it ever had. */
      readonly verifierKey: string | undefined
      /** Name of the log in addresses. */
      readonly name: string
      readonly index: number
      /** Tree size of the checkpoint. */
      readonly size: number
      /** The first stamped one that enough witnesses have cosigned, or the first stamped one, or the first. */
      readonly checkpoint: PublishedCheckpoint
      /** C2SP tlog-proof, written when it is asked for; its extra data is the salt and the text of the entry. */
      readonly proof: string
    }

/** Entries that are proved before others have their turn, for a millisecond. */
const AT_ONCE = 16

/** A checkpoint that covers an entry, its tree and log, and the key that signed it. */
interface Cover {
  readonly log: Log
  readonly checkpoint: PublishedCheckpoint
  readonly tree: KnownTree
  readonly verifierKey: string | undefined
}

/** Why there is none: the log is gone, or has no checkpoint yet. */
type Covering = Cover | 'broken' | 'pending'

/** With the entry that it was found for. */
interface CoveringFrom {
  readonly from: LogEntry
  readonly by: Covering
}

/** What covers an entry covers those after it, too, as far as its tree goes. */
const goesOn = ({ from, by }: CoveringFrom, { log, index }: LogEntry): boolean =>
  typeof by === 'object' && from.log === log && from.index <= index && index < by.checkpoint.size

/** Proves that facts are in the log; the same state gives the same bytes. */
export class ProveEntry {
  static readonly inject = {
    settings: LogSettings,
    logs: LogStore,
    entries: LogEntries,
    texts: LoggedTexts,
    checkpoints: CheckpointStore,
    changes: KeyChangeStore,
    tree: LogTree,
  }

  constructor(private readonly use: Injected<typeof ProveEntry.inject>) {}

  async of(kind: SaltedKind, ref: string): Promise<ProvedEntry> {
    const { entries, settings } = this.use
    let entry = await entries.find(kind, ref)
    if (entry === undefined && (await entries.waits(kind, ref))) return { state: 'pending' }
    // What waited a moment ago may be in the tree by now.
    entry ??= await entries.find(kind, ref)
    if (entry === undefined) return { state: settings.isOn ? 'absent' : 'off' }
    return this.inLog(entry, await this.use.texts.read(kind, [ref]), await this.covering(entry))
  }

  /** As `of`, for many at once, by `ref`: those that were logged one after the other share what is read. */
  async ofAll(kind: SaltedKind, refs: readonly string[]): Promise<ReadonlyMap<string, ProvedEntry>> {
    if (refs.length === 0) return new Map()
    const found = await this.use.entries.findAll(kind, refs)
    const texts = await this.use.texts.read(kind, refs)
    const proved = new Map<string, ProvedEntry>()
    let covering: CoveringFrom | undefined
    for (const [place, ref] of refs.entries()) {
      if (place % AT_ONCE === AT_ONCE - 1) await pause(1)
      const entry = found.get(ref)
      if (entry === undefined) {
        proved.set(ref, await this.of(kind, ref))
        continue
      }
      if (covering === undefined || !goesOn(covering, entry)) covering = { from: entry, by: await this.covering(entry) }
      proved.set(ref, await this.inLog(entry, texts, covering.by))
    }
    return proved
  }

  private async covering({ log: number, index }: LogEntry): Promise<Covering> {
    const { checkpoints, logs, settings } = this.use
    const checkpoint = await checkpoints.covering(number, index, (note) => hasQuorum(note, settings.witnesses))
    const log = await logs.at(number)
    if (log === undefined) return 'broken'
    if (checkpoint === undefined) return 'pending'
    return { log, checkpoint, tree: treeOf(checkpoint), verifierKey: await this.signer(log, checkpoint.note) }
  }

  private async inLog(entry: LogEntry, texts: ReadonlyMap<string, string>, covering: Covering): Promise<ProvedEntry> {
    if (typeof covering === 'string') return { state: covering }
    const text = texts.get(entry.ref)
    if (text === undefined || entry.salt === undefined) return { state: 'changed' }
    return this.prove(entry, { salt: entry.salt, text }, covering)
  }

  private async prove(
    { index }: LogEntry,
    { salt, text }: { readonly salt: Uint8Array; readonly text: string },
    { log: { origin, name }, checkpoint, tree, verifierKey }: Cover,
  ): Promise<ProvedEntry> {
    try {
      const hashes = await this.use.tree.inclusion(tree, index)
      const leaf = leafHash(saltedEntry(salt, text))
      if (!isIncluded({ ...tree, leaf, index, proof: hashes })) return { state: 'changed' }
      return {
        ...{ state: 'logged', origin, verifierKey, name, index, size: tree.size, checkpoint },
        get proof() {
          const extra = Buffer.concat([salt, Buffer.from(text)])
          return writeLogProof({ extra, index, hashes, checkpoint: checkpoint.note })
        },
      }
    } catch (error) {
      if (error instanceof LogTileError) return { state: 'broken' }
      throw error
    }
  }

  /** The key of a log that signed a note: the present one, or else the last one before it that did. */
  private async signer({ log, verifierKey }: Log, note: string): Promise<string | undefined> {
    if (verifierKey === undefined || isSignedBy(note, verifierKey)) return verifierKey
    const former = (await this.use.changes.of(log)).map(({ formerKey }) => formerKey)
    return former.reverse().find((key) => isSignedBy(note, key))
  }
}

function isSignedBy(note: string, key: string): boolean {
  try {
    verifySignedNote(note, key)
    return true
  } catch (error) {
    if (error instanceof RegistryError) return false
    throw error
  }
}

/** The tree that a checkpoint is of. */
export function treeOf({ log, note }: Pick<PublishedCheckpoint, 'log' | 'note'>): KnownTree {
  const { size, root } = readCheckpoint(readNote(note).text)
  return { log, size, root }
}
