import { checkpointText, EMPTY_ROOT, type TreeHead } from '@signed-registry/verifier/log'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { logErrors } from './errors.js'
import { HighWaterMark } from './high-water-mark.js'
import type { Witnessed } from './witnessed-store.js'

/** The files of the largest checkpoints that this host has cosigned, by the hash of their origin. */
export class WitnessedFiles extends HighWaterMark {
  protected override readonly prefix = 'witnessed'
}

/** Keeps a witness whose database was restored to an earlier state from cosigning a second tree of the same size. */
export class WitnessMarks {
  static readonly inject = { files: WitnessedFiles, logger: Logger }
  private readonly told = new Set<string>()

  constructor(private readonly use: Injected<typeof WitnessMarks.inject>) {}

  /** The largest checkpoint of a log that this host has cosigned. Throws `witnessBehind` where its file cannot be read. */
  of(originHash: string): TreeHead | undefined {
    try {
      return this.use.files.of(originHash)
    } catch (error) {
      throw logErrors.error('witnessBehind', undefined, error)
    }
  }

  /** Throws `witnessBehind` where the database has neither the tree that this host cosigned last nor a later one. */
  check(origin: string, mark: TreeHead | undefined, latest: TreeHead | undefined): void {
    const isRight = mark === undefined || !isBehind(latest, mark)
    if (isRight) {
      this.told.delete(origin)
      return
    }
    if (!this.told.has(origin))
      this.use.logger.error('A log is not cosigned: the database was restored to an earlier state', {
        log: origin,
        cosigned: mark.size,
        stored: latest?.size ?? 0,
        advice: 'restore a later state, or put the tree that was cosigned back with `admin log resume-witness`',
      })
    this.told.add(origin)
    throw logErrors.error('witnessBehind', { cosigned: mark.size })
  }

  /** Keeps a tree that the database has durably; it is on disk when this returns. */
  raise({ originHash, origin, size, root }: Pick<Witnessed, 'originHash' | 'origin' | 'size' | 'root'>): Promise<void> {
    return this.use.files.raise(originHash, checkpointText({ origin, size, root }))
  }
}

/** Whether a tree that was cosigned is not stored, nor a later one. */
export function isBehind(stored: TreeHead | undefined, mark: TreeHead): boolean {
  const { size, root } = stored ?? NOTHING
  return size < mark.size || (size === mark.size && Buffer.compare(root, mark.root) !== 0)
}

const NOTHING: TreeHead = { size: 0, root: EMPTY_ROOT }
