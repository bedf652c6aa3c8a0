import { originHash, type TreeHead } from '@signed-registry/verifier/log'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { isBehind, WitnessMarks } from './witness-marks.js'
import { WitnessedStore } from './witnessed-store.js'

/** Lets a witness go on whose database was restored to an earlier state, for its operator. */
export class ResumeWitness {
  static readonly inject = { store: WitnessedStore, marks: WitnessMarks, clock: Clock }

  constructor(private readonly use: Injected<typeof ResumeWitness.inject>) {}

  /**
   * Puts the tree back into the database that this host cosigned last of a log; answers that tree, and `undefined` where the
   * database has it, or a later one, or this host has cosigned none.
   */
  async of(origin: string): Promise<TreeHead | undefined> {
    const { store, marks, clock } = this.use
    const hash = originHash(origin)
    const mark = marks.of(hash)
    const latest = await store.of(hash)
    if (mark === undefined || !isBehind(latest, mark)) return undefined
    const { size, root } = mark
    const restored = { originHash: hash, origin, size, root, note: undefined, cosignedAt: clock.now() }
    if (!(await store.moveOn(latest, restored))) throw new Error('The log was cosigned meanwhile: try again')
    return { size, root }
  }
}
