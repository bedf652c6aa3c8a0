import type { Peers } from '@signed-registry/core'
import type { Siblings } from '../workers/siblings.js'
import type { HttpPeers } from './http-peers.js'

const TOPIC = 'wake'

/**
 * Wakes held calls at the other workers of this host by a message, at other hosts over HTTP. Workers have addresses of their own
 * in the directory, `<address of the host>#<host>-<number>`: others reach any of them at the address before the `#`.
 */
export class WorkerPeers implements Peers {
  readonly address: string

  constructor(
    private readonly siblings: Siblings,
    private readonly hosts: HttpPeers | undefined,
  ) {
    this.address = `${hosts?.address ?? ''}#${siblings.host}-${siblings.number}`
  }

  wake(address: string, procedureId: string): void {
    if (address.split('#')[1]?.startsWith(`${this.siblings.host}-`)) this.siblings.tell(TOPIC, procedureId)
    else this.hosts?.wake(address, procedureId)
  }

  /** Tells the other workers what another host told this one. */
  passOn(procedureId: string): void {
    this.siblings.tell(TOPIC, procedureId)
  }

  /** Calls `wakeHere` when another worker says that a procedure has changed. */
  onWake(wakeHere: (procedureId: string) => void): void {
    this.siblings.on(TOPIC, (body) => {
      if (typeof body === 'string') wakeHere(body)
    })
  }
}
