/** A worker that is asked again and again whether its event loop runs. */
export interface Watched {
  /** Asks it, and says whether it has answered since the time before. */
  answers(): boolean
  /** Milliseconds since the time before for which it was kept waiting for a processor. */
  waited(): number
}

/** Milliseconds between two rounds of questions. */
export const ROUND_MS = 1000
/** Questions that a worker leaves unanswered in a row before it counts as hanging: a busy one takes a second at most. */
export const MISSED_ROUNDS = 20
/** The same of one that has never answered: before it can, it reads all of the program, on a machine that may be busy. */
export const STARTING_ROUNDS = 60

/**
 * Finds workers that hang, by what they do not answer while the process that asks runs in time itself. It does so on a crowded
 * machine too, having little to do: what a worker was kept waiting for a processor counts for nothing.
 */
export class Watch<W extends Watched> {
  private missed = new Map<W, number>()
  private readonly heard = new WeakSet<W>()
  private last: number | undefined

  /**
   * One round, at `now` in milliseconds of a steady clock; answers a worker that hangs, if there is one. A round that is late itself
   * counts for nothing: the machine has slept, or has no time for any of us. After one was found all begin anew, so that a machine
   * that is too slow loses one worker at a time.
   */
  look(workers: Iterable<W>, now: number): W | undefined {
    const isLate = this.last !== undefined && now - this.last > 2 * ROUND_MS
    this.last = now
    const before = this.missed
    this.missed = new Map()
    for (const worker of workers) {
      const hasAnswered = worker.answers()
      if (hasAnswered) this.heard.add(worker)
      const [missed, waited] = [before.get(worker) ?? 0, worker.waited()]
      const added = isLate ? 0 : 1 - waited / ROUND_MS
      this.missed.set(worker, hasAnswered ? 0 : Math.max(0, missed + added))
    }
    const allowed = (worker: W) => (this.heard.has(worker) ? MISSED_ROUNDS : STARTING_ROUNDS)
    const found = [...this.missed.keys()].find((worker) => (this.missed.get(worker) ?? 0) >= allowed(worker))
    if (found !== undefined) this.missed.clear()
    return found
  }
}
