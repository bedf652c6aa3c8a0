export { bundleStart, MAX_ENTRY_BYTES, readBundle, writeBundle } from './bundle.js'
export { type Checkpoint, checkpointText, type OpenCheckpoint, openCheckpoint, readCheckpoint } from './checkpoint.js'
export {
  type Cosigner,
  cosign,
  cosignatureLines,
  cosignerKey,
  verifyCosignature,
} from './cosignature.js'
export { isSalted, SALT_BYTES, saltedEntry } from './entry.js'
export { type GrownTile, type GrownTree, growTree, type TreeEdge } from './grow-tree.js'
export { type LeafText, NONE, readLeafText, writeLeafText } from './leaf-text.js'
export {
  type ConsistencyProof,
  EMPTY_ROOT,
  HASH_BYTES,
  type InclusionProof,
  isConsistent,
  isIncluded,
  leafHash,
  type TreeHead,
} from './merkle.js'
export {
  canBeMet,
  isWithoutLogs,
  type LogPolicy,
  NO_WITNESSES,
  type PassedOver,
  type PolicyGroup,
  type PolicyLog,
  type PolicyVerdict,
  type PolicyWitness,
  policyVerdict,
  quorumsIntersect,
  type WitnessSeen,
} from './policy.js'
export { type LogProof, readLogProof, writeLogProof } from './proof.js'
export {
  type ForgettableKind,
  isForgettable,
  type PublicEntry,
  publicEntry,
  readPublicEntry,
} from './public-entry.js'
export { readLogPolicy } from './read-policy.js'
export { LogTileError } from './tile-error.js'
export { entriesPath, readTilePath, type TilePath, tilePath } from './tile-path.js'
export { type ReadTile, TiledTree } from './tiled-tree.js'
export { TILE_WIDTH, type Tile, widthOfTile } from './tiles.js'
export { trustedNote } from './trusted-note.js'
export { VerifiedTiles } from './verified-tiles.js'
export {
  type LogProblem,
  type LogProofOptions,
  type LogProofVerdict,
  type LogTrust,
  verifyLogProof,
} from './verify-log-proof.js'
export {
  type AddCheckpoint,
  type AddCheckpointVerdict,
  judgeAddCheckpoint,
  MAX_ADD_CHECKPOINT,
  originHash,
  type ReadAddCheckpoint,
  readAddCheckpoint,
  type WitnessedLog,
  writeAddCheckpoint,
} from './witness.js'
