import { setTimeout as wait } from 'node:timers/promises'
import { type Caller, ownerOf } from '@signed-registry/core'

/** Bytes of JSON from which on parsing holds up everybody else for milliseconds. */
const LARGE = 512 * 1024
/** So many times as long as parsing took nothing large is parsed for the same callers: what is done with it takes time too. */
const REST = 8

/** Has large JSON parsed one after another, with a rest between: for all strangers together, and for each known caller. */
export class JsonTurns {
  private readonly last = new Map<string, Promise<void>>()

  /** Parses in the caller's turn; at once what is small. */
  async parse<T>(caller: Caller, bytes: number, parse: () => Promise<T>): Promise<T> {
    if (bytes < LARGE) return parse()
    const lane = caller.kind === 'anonymous' ? 'strangers' : ownerOf(caller)
    const before = this.last.get(lane)
    let end = () => {}
    const turn = new Promise<void>((resolve) => {
      end = resolve
    })
    this.last.set(lane, turn)
    await before
    const began = performance.now()
    try {
      return await parse()
    } finally {
      void wait(REST * (performance.now() - began), undefined, { ref: false }).then(() => {
        if (this.last.get(lane) === turn) this.last.delete(lane)
        end()
      })
    }
  }
}
