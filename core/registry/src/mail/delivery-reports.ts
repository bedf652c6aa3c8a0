import { port } from '../kernel/port.js'

/** Gives what came to the return path of mails: reports of those that did not arrive (RFC 3464), and whatever else came there. */
export interface DeliveryReports {
  /** Hands over each message as it came, oldest first, and lets go of it once `take` has resolved; it may come again. */
  read(take: (message: Uint8Array) => Promise<void>): Promise<void>
}
/** `undefined` where nobody reads them. */
export const DeliveryReports = port<DeliveryReports | undefined>('DeliveryReports', 'defaulted')
