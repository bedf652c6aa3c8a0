import type { Claimed } from './delivery-queue.js'

/** What goes to one target. */
interface Lane {
  readonly waiting: Claimed[]
  running: number
  /** Until when the target is left alone, milliseconds; 0 while it answers. */
  restsUntil: number
}

/** How long it is remembered that a target was down. */
const MEMORY_MS = 60 * 60 * 1000
/** More would make the claim long; what is claimed for the others is given back. */
const MAX_BUSY = 500

/** Claimed deliveries, a lane for each target: one that is slow or down fills its own lane and nobody else's. */
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

  /** The next delivery that may begin, lanes in turn. */
  next(): Claimed | undefined {
    if (this.running >= this.atOnce) return undefined
    for (const [target, lane] of this.lanes) {
      // A target that was down is tried with one before it gets many.
      if (lane.running >= (lane.restsUntil > 0 ? 1 : this.atOncePerTarget)) continue
      const next = lane.waiting.shift()
      if (next === undefined) continue
      lane.running += 1
      this.running += 1
      // Last in line now.
      this.lanes.delete(target)
      this.lanes.set(target, lane)
      return next
    }
    return undefined
  }

  /** Ends one that began. With `restUntil` its target is left alone, and the others that wait for it are answered. */
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

  /** Targets for which nothing more should be claimed. */
  busyTargets(now: number): string[] {
    const busy: string[] = []
    for (const [target, { waiting, running, restsUntil }] of this.lanes) {
      if (waiting.length > this.atOncePerTarget || restsUntil > now) busy.push(target)
      else if (waiting.length + running === 0 && restsUntil < now - MEMORY_MS) this.lanes.delete(target)
    }
    return busy.slice(0, MAX_BUSY)
  }

  /** True when a target could soon do with more. */
  isLow(target: string): boolean {
    return (this.lanes.get(target)?.waiting.length ?? 0) <= this.atOncePerTarget
  }

  /** Empties the lanes of what has not begun. */
  clear(): Claimed[] {
    const all = [...this.lanes.values()].flatMap(({ waiting }) => waiting.splice(0))
    this.held -= all.length
    return all
  }
}
