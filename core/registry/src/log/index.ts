export { logArea, logStorage } from './area.js'
export { AuditEntries, type AuditedEntry, type EntryAt, type EntryOfLog } from './audit-entries.js'
export { CheckpointStore, type PublishedCheckpoint } from './checkpoint-store.js'
export { LogEntries } from './log-entries.js'
export { type LogOptions, LogSettings, logSettingsOf, requireOwnKeys } from './log-settings.js'
export { type LogFigures, type LogMoment, type LogReport, LogState, type WitnessReport } from './log-state.js'
export { LogTimes, LogWorker } from './log-worker.js'
export {
  type LeafField,
  LOGGED_KINDS,
  type LoggedFact,
  LoggedFacts,
  type LoggedKind,
  type SaltedKind,
  type StoredFact,
} from './logged-facts.js'
export { OperateLog } from './operate-log.js'
export { type ProvedEntry, ProveEntry } from './prove-entry.js'
export { ServeLog } from './serve-log.js'
export { StandingEntry } from './standing-entries.js'
export { type UnloggedFact, UnloggedFacts } from './unlogged-facts.js'
