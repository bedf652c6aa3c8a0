import { port } from '../kernel/port.js'
import type { BodyStream } from '../kernel/upload.js'
import type { AuthType } from './schema.js'

/** A procedure as it is told to the way by which the app will come. */
export interface AnnouncedProcedure {
  readonly id: string
  /** Address of API 1 at this service. */
  readonly address: string
  readonly description: string
  /** Milliseconds. */
  readonly expireAt: number
  readonly backUrl: string | undefined
  /** How the app is to prove itself. */
  readonly authType: AuthType
  /** PNG for the middle of the code. */
  readonly logo: Uint8Array | undefined
}

/** How the app is brought to a procedure. */
export interface Announcement {
  /** PNG. */
  readonly qrCode: Uint8Array
  readonly govMobileLaunchLink: string
  readonly govBusinessLaunchLink: string
  /** Milliseconds, where that is sooner than ours. */
  readonly expireAt?: number
  /** What a relay has to remember to go on after a crash; kept with the procedure. A secret. */
  readonly channel?: unknown
}

/** What is brought to the app: bytes that may be asked for again. */
export interface RelayedDocuments extends Omit<BodyStream, 'stream'> {
  /** Bytes, where that is known. */
  readonly size?: number
  bytes(): AsyncIterable<Uint8Array>
}

/**
 * Passes documents and signatures on, where the app does not come here itself. Calls last until something happens, and are
 * repeated until then; a `RelayRefusal` ends the procedure, and anything else is tried again.
 */
export interface Relay {
  /** Brings the documents; resolves once the app has them. */
  deliver(channel: unknown, documents: RelayedDocuments, signal: AbortSignal): Promise<void>
  /** Waits for what the app returns, and hands it to `take`; resolves and rejects as that does. */
  collect(channel: unknown, take: (returned: BodyStream) => Promise<void>, signal: AbortSignal): Promise<void>
  /** Nobody waits for the app any more. */
  cancel(channel: unknown): Promise<void>
}

/** The relay says that nothing will come of a procedure. */
export class RelayRefusal extends Error {
  override readonly name = 'RelayRefusal'
}

/** The way by which the mobile application comes to procedures: to this service itself, or through another that it trusts. */
export interface MobileApp {
  /** Runs before the procedure is kept; may ask a network. Rejects where there is no way. */
  announce(procedure: AnnouncedProcedure): Promise<Announcement>
  /** Works for every procedure with a `channel`. */
  readonly relay?: Relay
}
export const MobileApp = port<MobileApp>('MobileApp', 'defaulted')
