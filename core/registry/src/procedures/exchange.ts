import type { BodyStream } from '../kernel/upload.js'
import type { Procedure } from './procedure-store.js'

/** The connection over which somebody begins a procedure. */
export interface Origin {
  readonly isMutualTls: boolean
}

/** A call from inside the process. */
export const inProcess: Origin = { isMutualTls: false }

/** The connection of a long poll. */
export interface HeldConnection {
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal
  /** Called when reading of the body begins. */
  reading(): void
}

/** A call from inside the process, which never disconnects. */
export const unbroken: HeldConnection = { signal: new AbortController().signal, reading: () => undefined }

/** What the app is given. */
export interface AppDocuments {
  readonly type: string
  /** Bytes, if known. */
  readonly size?: number
  bytes(): AsyncIterable<Uint8Array>
}

/** What one kind of procedure gives to the app, and does with what the app returns. */
export interface Exchange {
  /** May wait for a caller; rejects with the error for the app. */
  documents(procedure: Procedure, connection: HeldConnection): Promise<AppDocuments>
  /** Resolves once what was returned is processed. */
  take(procedure: Procedure, body: BodyStream): Promise<void>
}
