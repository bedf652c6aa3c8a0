import { RegistryError } from '@signed-registry/verifier'
import {
  type AddCheckpointVerdict,
  judgeAddCheckpoint,
  MAX_ADD_CHECKPOINT,
  originHash,
  type ReadAddCheckpoint,
  readAddCheckpoint,
  trustedNote,
} from '@signed-registry/verifier/log'
import Type, { type Static } from 'typebox'
import { anyone, type Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { textOf } from '../kernel/upload.js'
import { logErrors } from './errors.js'
import { WitnessIdentity } from './witness-identity.js'
import { WitnessMarks } from './witness-marks.js'
import { WitnessedStore } from './witnessed-store.js'

/** Answer of `POST /api/witness/add-checkpoint`. */
export const Cosignatures = Type.Object(
  { signatures: Type.String({ description: 'signature lines to add to the checkpoint (C2SP tlog-cosignature)' }) },
  { $id: 'Cosignatures' },
)
export type Cosignatures = Static<typeof Cosignatures>

/** Cosigns checkpoints of the logs that this registry is a witness of (C2SP tlog-witness, "add-checkpoint"). */
export class AddCheckpoint {
  static readonly operation = operation({
    id: 'addCheckpoint',
    group: 'utility',
    at: 'POST /witness/add-checkpoint',
    who: anyone(),
    summary: 'Have a checkpoint of a log cosigned by this registry as a witness',
    description:
      'As C2SP tlog-witness has it: the body is the size of the tree that was cosigned last, a consistency proof from there and the checkpoint; the answer is text, JSON for those who accept only that. 409 tells the size cosigned last, as text/x.tlog.size.',
    stream: true,
    answer: Cosignatures,
    alsoAnswers: ['text/plain'],
    refuses: [
      'checkpointConflict',
      'checkpointInconsistent',
      'checkpointNotSigned',
      'checkpointSizesReversed',
      'checkpointUnreadable',
      'logNotWitnessed',
    ],
  })
  static readonly inject = { identity: WitnessIdentity, store: WitnessedStore, marks: WitnessMarks, clock: Clock }

  constructor(private readonly use: Injected<typeof AddCheckpoint.inject>) {}

  /** The signature of the log in the body says whose request it is. */
  async execute(_caller: Caller, { body }: Input<typeof AddCheckpoint.operation>): Promise<Cosignatures> {
    if (this.use.identity.verifierKey === undefined) throw logErrors.error('logNotWitnessed')
    const asked = read(await textOf(body, MAX_ADD_CHECKPOINT))
    for (;;) {
      const answer = await this.answer(asked)
      // Else another request was faster, and the next judgement is about what that one has stored.
      if (answer !== undefined) return answer
    }
  }

  private async answer(asked: ReadAddCheckpoint): Promise<Cosignatures | undefined> {
    const { identity, store, marks, clock } = this.use
    const { origin, size, root } = asked.checkpoint
    const keys = identity.keysOf(origin)
    if (keys === undefined) throw logErrors.error('logNotWitnessed')
    const latest = await marks.latest(origin)
    const verdict = judgeAddCheckpoint(asked, { keys, latest })
    if (verdict.outcome !== 'accepted') throw refusal(verdict)
    const { text, note } = trustedNote(asked.note, keys)
    const signatures = identity.cosign(text)
    const stored = { note: note + signatures, cosignedAt: clock.now(), haltedAt: undefined }
    const cosigned = { originHash: originHash(origin), origin, size, root, ...stored }
    if (!(await store.moveOn(latest, cosigned))) return undefined
    // In the database first: a mark that is ahead of it would stop the witness.
    await marks.raise(cosigned)
    return { signatures }
  }
}

function read(body: string): ReadAddCheckpoint {
  try {
    return readAddCheckpoint(body)
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    throw logErrors.error('checkpointUnreadable', { reason: error.details?.reason }, error)
  }
}

function refusal(verdict: Exclude<AddCheckpointVerdict, { outcome: 'accepted' }>) {
  switch (verdict.outcome) {
    case 'unknownLog':
      return logErrors.error('logNotWitnessed')
    case 'notSigned':
      return logErrors.error('checkpointNotSigned')
    case 'sizesReversed':
      return logErrors.error('checkpointSizesReversed')
    case 'conflict':
      return logErrors.error('checkpointConflict', { size: verdict.size })
    case 'inconsistent':
      return logErrors.error('checkpointInconsistent')
  }
}
