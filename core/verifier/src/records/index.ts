export { type DataObject, readDataObject, writeDataObject } from './data-object.js'
export { recordErrors } from './errors.js'
export {
  type ArchiveTimeStamp,
  type ArchiveTimeStampChain,
  type EvidenceRecord,
  type ReducedTree,
  readEvidenceRecord,
} from './evidence-record.js'
export { HashTree } from './hash-tree.js'
export { hashWithChains } from './hash-with-chains.js'
export { lastingToken, type TokenEvidence } from './lasting-token.js'
export {
  type HashOf,
  type ProvedChain,
  type RecordContext,
  type RecordProof,
  verifyEvidenceRecord,
} from './verify-record.js'
export {
  beginRecord,
  type Covered,
  type CoveredTokens,
  coveredByChain,
  coveredByStamp,
  coveredTokens,
  type NewStamp,
  renewedByChain,
  renewedByStamp,
  writeChain,
  writeRecord,
} from './write-record.js'
