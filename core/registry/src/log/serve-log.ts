import { LogTileError, readTilePath, type TilePath, widthOfTile, writeBundle } from '@signed-registry/verifier/log'
import type { Injected } from '../kernel/service.js'
import { CheckpointStore } from './checkpoint-store.js'
import { logErrors } from './errors.js'
import { LogStore } from './log-store.js'
import { type KnownTree, LogTree } from './log-tree.js'
import { treeOf } from './prove-entry.js'
import { ToldCheckpoint } from './told-checkpoint.js'

/** Answers what auditors and witnesses read of a log by C2SP tlog-tiles. Nothing is served that is not as its checkpoint says. */
export class ServeLog {
  static readonly inject = { logs: LogStore, checkpoints: CheckpointStore, told: ToldCheckpoint, tree: LogTree }

  constructor(private readonly use: Injected<typeof ServeLog.inject>) {}

  /** The newest checkpoint of a log, a signed note. Rejects with `logNotFound`, and `logUnreadable` rather than give an older one. */
  async checkpoint(name: string): Promise<string> {
    const log = await this.use.logs.named(name)
    const newest = log === undefined ? 'none' : await this.use.told.of(log)
    if (newest === 'none') throw logErrors.error('logNotFound')
    if (newest === 'withheld') throw logErrors.error('logUnreadable')
    return newest.note
  }

  /** The tile or the entries at a path below `tile/`. Rejects with `logNotFound` and `logUnreadable`. */
  async tile(name: string, path: string): Promise<Uint8Array> {
    const asked = readTilePath(path)
    const log = asked && (await this.use.logs.named(name))
    const newest = log && (await this.use.checkpoints.newest(log.log))
    if (asked === undefined || newest === undefined) throw logErrors.error('logNotFound')
    const tree = treeOf(newest)
    const level = asked.kind === 'hashes' ? asked.level : 0
    if (asked.width > widthOfTile(tree.size, level, asked.index)) throw logErrors.error('logNotFound')
    try {
      return await this.read(tree, asked)
    } catch (error) {
      if (error instanceof LogTileError) throw logErrors.error('logUnreadable', {}, error)
      throw error
    }
  }

  private async read(tree: KnownTree, asked: TilePath): Promise<Uint8Array> {
    if (asked.kind === 'hashes') return this.use.tree.tile(tree, asked)
    return writeBundle(await this.use.tree.entries(tree, asked.index, asked.width))
  }
}
