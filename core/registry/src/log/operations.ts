export { AddCheckpoint, type Cosignatures } from './add-checkpoint.js'
export { GetLog, type PublicLog } from './get-log.js'
export { GetWitnessedCheckpoint, type WitnessedCheckpoint } from './get-witnessed-checkpoint.js'
