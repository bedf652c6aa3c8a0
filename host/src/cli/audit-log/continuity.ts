import {
  isConsistent,
  type OpenCheckpoint,
  TiledTree,
  type TreeHead,
  VerifiedTiles,
} from '@signed-registry/verifier/log'
import type { LogReader } from './log-reader.js'
import { type Fault, faultOf } from './served-entries.js'

/** How a served checkpoint goes on from the one that was kept. */
export type Continuity =
  | { readonly state: 'first' | 'same' | 'grown' }
  /** An earlier checkpoint of the same tree. */
  | { readonly state: 'rolledBack' }
  /** Two signed checkpoints that cannot be of one tree; `proof` where their sizes differ. */
  | { readonly state: 'fork'; readonly proof?: ForkProof | undefined }
  /** The log does not serve what would tell. */
  | { readonly state: 'unproved'; readonly fault: Fault }

/** The larger tree, as it was proved, has another root at the size of the smaller checkpoint. */
export interface ForkProof {
  /** What it has there. */
  readonly smaller: TreeHead
  /** Consistency proof from there to its root (RFC 9162, 2.1.4). */
  readonly hashes: readonly Uint8Array[]
}

/** Compares the kept checkpoint with the served one, both signed by the log, by tiles that are proved up to the larger root. */
export async function continuityOf(
  kept: OpenCheckpoint | undefined,
  served: OpenCheckpoint,
  reader: LogReader,
): Promise<Continuity> {
  if (kept === undefined) return { state: 'first' }
  if (kept.size === served.size)
    return Buffer.compare(kept.root, served.root) === 0 ? { state: 'same' } : { state: 'fork' }
  const hasGrown = kept.size < served.size
  const [smaller, larger] = hasGrown ? [kept, served] : [served, kept]
  try {
    const tiles = new VerifiedTiles(larger, reader.tile)
    const hashes = await new TiledTree(larger.size, tiles.read).consistency(smaller.size)
    if (isConsistent({ from: smaller, to: larger, proof: hashes })) return { state: hasGrown ? 'grown' : 'rolledBack' }
    const root = await new TiledTree(smaller.size, tiles.read).root()
    return { state: 'fork', proof: { smaller: { size: smaller.size, root }, hashes } }
  } catch (error) {
    return { state: 'unproved', fault: faultOf(error) }
  }
}
