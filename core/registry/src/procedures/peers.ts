import { port } from '../kernel/port.js'

/** How the hosts of one registry reach each other. */
export interface Peers {
  /** Address of this host for the others; `undefined` where they cannot reach it and have to poll the database. */
  readonly address: string | undefined
  /** Tells the host at an address that a procedure has changed: best effort, in the background. */
  wake(address: string, procedureId: string): void
}
export const Peers = port<Peers>('Peers', 'defaulted')

/** A single host. */
export const noPeers: Peers = { address: undefined, wake: () => undefined }
