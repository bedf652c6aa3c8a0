import type { BodyStream } from '../kernel/upload.js'
import type { HeldConnection } from './connections.js'
import type { Procedure } from './procedure-store.js'

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
