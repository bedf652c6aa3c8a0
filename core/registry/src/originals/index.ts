export { archiveChecks, originalsArea } from './area.js'
export { type ArchiveFinding, CheckArchive } from './check-archive.js'
export { TemporaryStorage } from './claim-originals.js'
export { CleanContent, type Unclean } from './clean-content.js'
export { type DataState, DataStates, type KeptState } from './data-state.js'
export { type ArchiveKey, archiveEncryption, EncryptedStore } from './encryption.js'
export { originalErrors } from './errors.js'
export type { Digests } from './hashing.js'
export { type Keeping, KeepOriginals } from './keep-originals.js'
export { OriginalLimits } from './limits.js'
export { OriginalStore } from './original-store.js'
export type { DocumentToKeep } from './payers.js'
export { ArchivePieces } from './pieces.js'
export {
  ArchiveFull,
  ArchiveStore,
  type ByteRange,
  ContentScanner,
  isArchiveKey,
  type ListedObject,
  ScannerUnavailable,
  type ScanVerdict,
  type StoredObject,
} from './ports.js'
export { type ReadableOriginal, ReadOriginals } from './read-originals.js'
export { receive } from './receive.js'
export { RemoveOriginals, SweepOriginals } from './remove-originals.js'
export { piecesOf } from './segments.js'
export { TellExpiredQuotas } from './tell-expired-quotas.js'
export { bytesOf, collect, once, uploadOf } from './upload-bytes.js'
