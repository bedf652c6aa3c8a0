import type { CheckpointFiles, LogFiles, LogStatement } from './statement.js'

/** The proof that something is logged, with its files at hand; nothing of it is verified. */
export interface OpenLog {
  readonly statement: LogFiles
  readonly proof: Uint8Array
  /** The CMS as it was received. */
  readonly received: Uint8Array | undefined
  readonly checkpoint: OpenStamped
}

/** A checkpoint of a log, and the time stamp over it. */
export interface OpenStamped {
  readonly files: CheckpointFiles
  readonly note: Uint8Array
  readonly stamp: Uint8Array | undefined
}

/** Gathers the files of a proof; `undefined` where there is none. */
export function openLog(log: LogStatement | undefined, read: (name: string) => Uint8Array): OpenLog | undefined {
  if (log?.state !== 'logged') return undefined
  const stamped = (files: CheckpointFiles): OpenStamped => ({
    files,
    note: read(files.note),
    stamp: files.stamp === undefined ? undefined : read(files.stamp),
  })
  return {
    statement: log,
    proof: read(log.proof),
    received: log.received === undefined ? undefined : read(log.received),
    checkpoint: stamped(log.checkpoint),
  }
}
