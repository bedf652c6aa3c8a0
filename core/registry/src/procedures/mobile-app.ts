import { port } from '../kernel/port.js'
import type { BodyStream } from '../kernel/upload.js'
import type { AuthType } from './schema.js'

/** A procedure as it is announced to `MobileApp`. */
export interface AnnouncedProcedure {
  readonly id: string
  /** Address of API 1 at this service. */
  readonly address: string
  readonly description: string
  /** Milliseconds. */
  readonly expireAt: number
  readonly backUrl: string | undefined
  /** How the app is to authenticate. */
  readonly authType: AuthType
  /** PNG for the middle of the code. */
  readonly logo: Uint8Array | undefined
}

/** How the app gets to a procedure. */
export interface Announcement {
  /** PNG. */
  readonly qrCode: Uint8Array
  readonly govMobileLaunchLink: string
  readonly govBusinessLaunchLink: string
  /** Milliseconds, if earlier than ours. */
  readonly expireAt?: number
  /** Secret state of a relay for resuming after a crash; stored with the procedure. */
  readonly channel?: unknown
}

/** Documents for the app, whose bytes can be read several times. */
export interface RelayedDocuments extends Omit<BodyStream, 'stream'> {
  /** Bytes, if known. */
  readonly size?: number
  bytes(): AsyncIterable<Uint8Array>
}

/**
 * Passes documents and signatures between this service and the app, where the app does not call it directly. Calls block
 * until something happens and are repeated; a `RelayRefusal` fails the procedure, any other error is retried.
 */
export interface Relay {
  /** Delivers the documents; resolves once the app has them. */
  deliver(channel: unknown, documents: RelayedDocuments, signal: AbortSignal): Promise<void>
  /** Waits for what the app returns, and hands it to `take`; resolves and rejects as that does. */
  collect(channel: unknown, take: (returned: BodyStream) => Promise<void>, signal: AbortSignal): Promise<void>
  /** The procedure was cancelled or has expired. */
  cancel(channel: unknown): Promise<void>
}

/** The relay says that a procedure has failed for good. */
export class RelayRefusal extends Error {
  override readonly name = 'RelayRefusal'
}

/** How the mobile app reaches procedures: directly at this service, or through another service. */
export interface MobileApp {
  /** Runs before the procedure is stored; may use the network. Rejects where the app cannot be reached. */
  announce(procedure: AnnouncedProcedure): Promise<Announcement>
  /** Handles procedures that have a `channel`. */
  readonly relay?: Relay
}
export const MobileApp = port<MobileApp>('MobileApp', 'defaulted')
