import { RegistryError } from '@signed-registry/verifier'
import { checkpointText, EMPTY_ROOT, originHash, type TreeHead } from '@signed-registry/verifier/log'
import { Clock } from '../kernel/clock.js'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { logErrors } from './errors.js'
import { HighWaterMark } from './high-water-mark.js'
import { WitnessIdentity } from './witness-identity.js'
import { type Witnessed, WitnessedStore } from './witnessed-store.js'

/** The files of the largest checkpoints that this host has cosigned, by the hash of their origin. */
export class WitnessedFiles extends HighWaterMark {
  protected override readonly prefix = 'witnessed'
}

/**
 * Keeps a witness whose database was restored to an earlier state from cosigning a second tree of the same size. Every host has
 * the last tree of each log in a file outside of the database; what one finds missing there stops all.
 */
export class WitnessMarks {
  static readonly inject = {
    files: WitnessedFiles,
    store: WitnessedStore,
    identity: WitnessIdentity,
    clock: Clock,
    logger: Logger,
  }
  private readonly told = new Set<string>()

  constructor(private readonly use: Injected<typeof WitnessMarks.inject>) {}

  /** The largest checkpoint of a log that this host has seen cosigned. Throws `witnessBehind` where its file cannot be read. */
  of(originHash: string): TreeHead | undefined {
    try {
      return this.use.files.of(originHash)
    } catch (error) {
      throw logErrors.error('witnessBehind', undefined, error)
    }
  }

  /** The last tree of a log that was cosigned, from which it may go on. Throws `witnessBehind` where an operator has to decide. */
  async latest(origin: string): Promise<Witnessed | undefined> {
    const hash = originHash(origin)
    // Before the row, which is then at least as new.
    const mark = this.of(hash)
    const latest = await this.use.store.of(hash)
    const missing = mark !== undefined && lacks(latest, mark) ? mark : undefined
    if (missing !== undefined) await this.halt(origin, latest, missing)
    const halted = missing ?? (latest?.haltedAt === undefined ? undefined : latest)
    if (halted === undefined) {
      this.told.delete(origin)
      return latest
    }
    this.tell(origin, halted)
    throw logErrors.error('witnessBehind', { cosigned: halted.size })
  }

  /** Keeps what any host has cosigned of the logs that are witnessed, so that this one notices an older database too. */
  async follow(): Promise<void> {
    for (const origin of this.use.identity.origins) {
      try {
        const latest = await this.latest(origin)
        if (latest !== undefined) await this.raise(latest)
      } catch (error) {
        // Told already, and nothing to keep: other logs go on.
        if (!(error instanceof RegistryError && error.code === 'witnessBehind')) throw error
      }
    }
  }

  /** Keeps a tree that the database has durably; it is on disk when this returns. */
  raise({ originHash, origin, size, root }: Pick<Witnessed, 'originHash' | 'origin' | 'size' | 'root'>): Promise<void> {
    return this.use.files.raise(originHash, checkpointText({ origin, size, root }))
  }

  /** Puts the tree back that the database lacks, for all hosts, and has them wait. */
  private async halt(origin: string, latest: Witnessed | undefined, { size, root }: TreeHead): Promise<void> {
    const now = this.use.clock.now()
    const { note, cosignedAt = now } = latest ?? {}
    const halted = { originHash: originHash(origin), origin, size, root, note, cosignedAt, haltedAt: now }
    // Where another request was faster, the next look is at what it has stored.
    await this.use.store.moveOn(latest, halted)
  }

  private tell(origin: string, { size }: TreeHead): void {
    if (!this.told.has(origin))
      this.use.logger.error('A log is not cosigned: the database was restored to an earlier state', {
        log: origin,
        cosigned: size,
        advice: 'restore a later state, or go on from the tree that was cosigned with `admin log resume-witness`',
      })
    this.told.add(origin)
  }
}

/** Whether a tree that was cosigned is not stored, nor a later one. A halted log has the tree that a host missed there. */
export function lacks(stored: Witnessed | undefined, mark: TreeHead): boolean {
  const { size, root } = stored ?? NOTHING
  if (size !== mark.size) return size < mark.size
  return stored?.haltedAt === undefined && Buffer.compare(root, mark.root) !== 0
}

const NOTHING: TreeHead = { size: 0, root: EMPTY_ROOT }
