import type { Claimed } from './delivery-queue.js'

/** The deliveries to one target. */
interface Lane {
  readonly waiting: Claimed[]
  running: number
  /** Until when the target rests, milliseconds; 0 while it answers. */
  restsUntil: number
}

/** How long to remember that a target was down. */
const MEMORY_MS = 60 * 60 * 1000
/** Excluded targets in one claim, for a short query; what is claimed for others is given back. */
const MAX_BUSY = 500

/** Claimed deliveries, with a lane for each target: one that is slow or down fills only its own lane. */
export class Lanes {
  private readonly lanes = new Map<string, Lane>()
  private running = 0
  /** Deliveries in all lanes, running ones too. */
  held = 0

  constructor(
    private readonly atOnce: number,
    private readonly atOncePerTarget: number,
  ) {}

  add(claimed: Claimed): void {
    const lane = this.lanes.get(claimed.target) ?? { waiting: [], running: 0, restsUntil: 0 }
    this.lanes.set(claimed.target, lane)
    lane.waiting.push(claimed)
    this.held += 1
  }

  /** The next delivery that may start, from the lanes in turn. */
  next(): Claimed | undefined {
    if (this.running >= this.atOnce) return undefined
    for (const [target, lane] of this.lanes) {
      // A target that was down gets a single delivery first.
      if (lane.running >= (lane.restsUntil > 0 ? 1 : this.atOncePerTarget)) continue
      const next = lane.waiting.shift()
      if (next === undefined) continue
      lane.running += 1
      this.running += 1
      // Moves the lane to the end of the line.
      this.lanes.delete(target)
      this.lanes.set(target, lane)
      return next
    }
    return undefined
  }

  /** Ends a started one. With `restUntil` its target rests, and the others that wait for it are returned. */
  done({ target }: Claimed, restUntil?: number): Claimed[] {
    const lane = this.lanes.get(target)
    if (lane === undefined) return []
    lane.running -= 1
    this.running -= 1
    this.held -= 1
    lane.restsUntil = restUntil ?? 0
    const given = restUntil === undefined ? [] : lane.waiting.splice(0)
    this.held -= given.length
    if (lane.running === 0 && lane.waiting.length === 0 && lane.restsUntil === 0) this.lanes.delete(target)
    return given
  }

  /** Targets that nothing more should be claimed for. */
  busyTargets(now: number): string[] {
    const busy: string[] = []
    for (const [target, { waiting, running, restsUntil }] of this.lanes) {
      if (waiting.length > this.atOncePerTarget || restsUntil > now) busy.push(target)
      else if (waiting.length + running === 0 && restsUntil < now - MEMORY_MS) this.lanes.delete(target)
    }
    return busy.slice(0, MAX_BUSY)
  }

  /** True when a target will soon run out of deliveries. */
  isLow(target: string): boolean {
    return (this.lanes.get(target)?.waiting.length ?? 0) <= this.atOncePerTarget
  }

  /** Removes from the lanes what has not started. */
  clear(): Claimed[] {
    const all = [...this.lanes.values()].flatMap(({ waiting }) => waiting.splice(0))
    this.held -= all.length
    return all
  }
}
