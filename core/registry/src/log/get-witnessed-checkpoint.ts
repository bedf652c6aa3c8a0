import Type, { type Static } from 'typebox'
import { anyone, type Caller } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { logErrors } from './errors.js'
import { WitnessIdentity } from './witness-identity.js'
import { WitnessMarks } from './witness-marks.js'
import { WitnessedStore } from './witnessed-store.js'

/** Answer of `GET /api/witness/{originHash}/checkpoint`. */
export const WitnessedCheckpoint = Type.Object(
  { checkpoint: Type.String({ description: 'signed by its log and cosigned by this registry' }) },
  { $id: 'WitnessedCheckpoint' },
)
export type WitnessedCheckpoint = Static<typeof WitnessedCheckpoint>

/** Shows monitors what this registry has cosigned (C2SP tlog-witness, "Monitor Retrieval Mechanism"). */
export class GetWitnessedCheckpoint {
  static readonly operation = operation({
    id: 'getWitnessedCheckpoint',
    group: 'utility',
    at: 'GET /witness/:originHash/checkpoint',
    who: anyone(),
    summary: 'The last checkpoint of a log that this registry has cosigned as a witness',
    description: 'Text, as C2SP tlog-witness has it; JSON for those who accept only that.',
    params: Type.Object({ originHash: Type.String({ description: 'SHA-256 of its origin, hexadecimal' }) }),
    answer: WitnessedCheckpoint,
    alsoAnswers: ['text/plain'],
    refuses: ['logNotWitnessed'],
  })
  static readonly inject = { identity: WitnessIdentity, store: WitnessedStore, marks: WitnessMarks }

  constructor(private readonly use: Injected<typeof GetWitnessedCheckpoint.inject>) {}

  async execute(
    _caller: Caller,
    { originHash }: Input<typeof GetWitnessedCheckpoint.operation>,
  ): Promise<WitnessedCheckpoint> {
    const { identity, store, marks } = this.use
    const latest = identity.originOf(originHash) === undefined ? undefined : await store.of(originHash)
    if (latest?.note === undefined) throw logErrors.error('logNotWitnessed')
    // It may have been stored just now, by a request that is not answered yet.
    await marks.raise(latest)
    return { checkpoint: latest.note }
  }
}
