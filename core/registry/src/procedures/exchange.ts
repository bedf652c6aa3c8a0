import type { BodyStream } from '../kernel/upload.js'
import type { Procedure } from './procedure-store.js'

/** The connection over which somebody begins a procedure. */
export interface Origin {
  readonly isMutualTls: boolean
}

/** A call from inside the process. */
export const inProcess: Origin = { isMutualTls: false }

/** A connection that is held until something happens. */
export interface HeldConnection {
  /** Aborted when nobody is there any more to be answered. */
  readonly signal: AbortSignal
  /** Called when the body begins to be read. */
  reading(): void
}

/** A call from inside the process, which nobody breaks off. */
export const unbroken: HeldConnection = { signal: new AbortController().signal, reading: () => undefined }

/** What the app is given. */
export interface AppDocuments {
  readonly type: string
  /** Bytes, where that is known. */
  readonly size?: number
  bytes(): AsyncIterable<Uint8Array>
}

/** What one kind of procedure gives to the app, and does with what comes back. */
export interface Exchange {
  /** Rejects as the app is to be refused; may wait for a caller. */
  documents(procedure: Procedure, connection: HeldConnection): Promise<AppDocuments>
  /** Resolves once everything has its effect. */
  take(procedure: Procedure, body: BodyStream): Promise<void>
}
