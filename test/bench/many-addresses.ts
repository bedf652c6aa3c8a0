/** Does its worst to a host from its addresses, with as many connections as it likes, until its process is ended. */
export interface Attacker {
  (target: Target): void
  /** How many addresses it has; one unless given. */
  readonly addresses?: number
}

/** Whom an attacker does it to, and where from. */
export interface Target {
  readonly port: number
  readonly from: string
}

/** The same from so many addresses at once, which differ in their last number. */
export const fromEach = (addresses: number, attacker: Attacker): Attacker =>
  Object.assign(
    ({ port, from }: Target) => {
      for (let at = 1; at <= addresses; at += 1) attacker({ port, from: from.replace(/\d+$/, String(at)) })
    },
    { addresses },
  )
