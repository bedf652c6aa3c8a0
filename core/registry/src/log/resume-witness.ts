import { originHash, type TreeHead } from '@signed-registry/verifier/log'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { lacks, WitnessMarks } from './witness-marks.js'
import { WitnessedStore } from './witnessed-store.js'

/** Lets a witness go on whose database was restored to an earlier state, for its operator. */
export class ResumeWitness {
  static readonly inject = { store: WitnessedStore, marks: WitnessMarks, clock: Clock }

  constructor(private readonly use: Injected<typeof ResumeWitness.inject>) {}

  /**
   * Goes on from the last tree of a log that any host has found to be cosigned and not in the database; answers that tree, and
   * `undefined` where there is none.
   */
  async of(origin: string): Promise<TreeHead | undefined> {
    const { store, marks, clock } = this.use
    const hash = originHash(origin)
    const mark = marks.of(hash)
    const latest = await store.of(hash)
    const halted = latest?.haltedAt === undefined ? undefined : latest
    const last = mark !== undefined && lacks(latest, mark) ? mark : halted
    if (last === undefined) return undefined
    const { size, root } = last
    const cleared = { note: undefined, cosignedAt: clock.now(), haltedAt: undefined }
    const restored = { originHash: hash, origin, size, root, ...cleared }
    if (!(await store.moveOn(latest, restored))) throw new Error('The log was cosigned meanwhile: try again')
    return { size, root }
  }
}
