import { anyAddress, OutboundClient } from '../kernel/outbound.js'
import { area } from '../kernel/part.js'
import { ReadinessCheck } from '../kernel/readiness.js'
import { provide, provideValue } from '../kernel/service.js'
import { AskWitness, WitnessConnections } from './ask-witness.js'
import { AskWitnesses } from './ask-witnesses.js'
import { AuditEntries } from './audit-entries.js'
import { ChangeLogKey } from './change-log-key.js'
import { CheckpointStore } from './checkpoint-store.js'
import { logErrors } from './errors.js'
import { HighWaterMark } from './high-water-mark.js'
import { IntegrateEntries } from './integrate-entries.js'
import { KeyChangeStore } from './key-change-store.js'
import { LogEntries } from './log-entries.js'
import { LogReadiness } from './log-readiness.js'
import { LogSettings } from './log-settings.js'
import { LogState } from './log-state.js'
import { LogStore } from './log-store.js'
import { LogTree } from './log-tree.js'
import { defaultLogTimes, LogTimes, LogWorker } from './log-worker.js'
import { LoggedTexts } from './logged-facts.js'
import * as log from './migrations/0160-log.js'
import * as witnesses from './migrations/0161-log-witnesses.js'
import * as witnessed from './migrations/0162-log-witnessed.js'
import * as keyChanges from './migrations/0163-log-key-changes.js'
import { OperateLog } from './operate-log.js'
import * as operations from './operations.js'
import { ProveEntry } from './prove-entry.js'
import { PublishCheckpoint } from './publish-checkpoint.js'
import { ResumeWitness } from './resume-witness.js'
import { ServeLog } from './serve-log.js'
import { StampCheckpoint } from './stamp-checkpoint.js'
import { StandingEntries } from './standing-entries.js'
import { SucceedLog } from './succeed-log.js'
import { ToldCheckpoint } from './told-checkpoint.js'
import { TreeStore } from './tree-store.js'
import { UnloggedFacts } from './unlogged-facts.js'
import { WitnessIdentity } from './witness-identity.js'
import { WitnessedFiles, WitnessMarks } from './witness-marks.js'
import { WitnessStates } from './witness-states.js'
import { WitnessedStore } from './witnessed-store.js'

const settings = provideValue(LogSettings, { isOn: true })
/** Operators configure the addresses of witnesses, so that any may be meant. */
const connections = provide(WitnessConnections, {
  make: () => new OutboundClient({ guard: anyAddress }),
  close: (client) => client.close(),
})
const storage = [
  AskWitness,
  AskWitnesses,
  CheckpointStore,
  HighWaterMark,
  IntegrateEntries,
  KeyChangeStore,
  LogEntries,
  LogState,
  LogStore,
  LogTree,
  LoggedTexts,
  ProveEntry,
  PublishCheckpoint,
  ResumeWitness,
  TreeStore,
  WitnessedFiles,
  WitnessedStore,
  WitnessIdentity,
  WitnessMarks,
  WitnessStates,
] as const

/** The part of the area that needs the database alone, for the operator's commands. */
export const logStorage = area({
  name: 'log',
  provides: [settings, connections],
  services: [...storage, ChangeLogKey, OperateLog, SucceedLog],
})

export const logArea = area({
  name: 'log',
  errors: [logErrors],
  migrations: {
    '0160-log': log,
    '0161-log-witnesses': witnesses,
    '0162-log-witnessed': witnessed,
    '0163-log-key-changes': keyChanges,
  },
  provides: [settings, connections, provideValue(LogTimes, defaultLogTimes), provide(ReadinessCheck, LogReadiness)],
  services: [
    ...storage,
    AuditEntries,
    LogWorker,
    ServeLog,
    StampCheckpoint,
    StandingEntries,
    ToldCheckpoint,
    UnloggedFacts,
  ],
  operations: Object.values(operations),
})
