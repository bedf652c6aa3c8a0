import { port } from '../kernel/port.js'

/** How the hosts of one registry reach each other. */
export interface Peers {
  /** Address of this host for the others; `undefined` where they cannot reach it, and look at the database in its place. */
  readonly address: string | undefined
  /** Tells the host at an address that a procedure has changed. What gets lost is noticed later; nobody waits for it. */
  wake(address: string, procedureId: string): void
}
export const Peers = port<Peers>('Peers', 'defaulted')

/** A host that knows of no others. */
export const noPeers: Peers = { address: undefined, wake: () => undefined }
