import Type, { type Static } from 'typebox'
import { anyone } from '../identity/index.js'
import { operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { logAddress, Site } from '../kernel/site.js'
import { CheckpointStore } from './checkpoint-store.js'
import { logErrors } from './errors.js'
import { KeyChangeStore } from './key-change-store.js'
import { type Log, LogStore } from './log-store.js'
import { ToldCheckpoint } from './told-checkpoint.js'
import { WitnessIdentity } from './witness-identity.js'

const keyChanges = (description: string) =>
  Type.Array(
    Type.Object({
      formerKey: Type.String(),
      changedAt: Type.Integer(),
      checkpoint: Type.String({ description: 'signed by the former key and by the one after it' }),
    }),
    { description },
  )

/** Answer of `GET /api/log`. */
export const PublicLog = Type.Object(
  {
    origin: Type.String({ description: 'name of the log in its checkpoints' }),
    verifierKey: Type.Optional(
      Type.String({
        description:
          'key that its checkpoints are signed by, as C2SP signed-note writes it; absent until one is signed',
      }),
    ),
    address: Type.String({ description: 'prefix of its checkpoint and tiles (C2SP tlog-tiles)' }),
    size: Type.Integer({ description: 'entries of the checkpoint; 0 without one' }),
    checkpoint: Type.Optional(
      Type.String({
        description:
          'the newest, a signed note (C2SP tlog-checkpoint); absent until one is signed, and where the database is older than one that was',
      }),
    ),
    witnessKey: Type.Optional(
      Type.String({
        description:
          'key that this registry cosigns the logs of others by, at /api/witness (C2SP tlog-cosignature); absent where it is no witness',
      }),
    ),
    stampedAt: Type.Optional(Type.Integer({ description: 'of the newest time stamp over a checkpoint' })),
    keyChanges: keyChanges('how the log came from its first key to the present one, the oldest first'),
    earlier: Type.Array(
      Type.Object({
        origin: Type.String(),
        verifierKey: Type.Optional(Type.String()),
        address: Type.String(),
        endedAt: Type.Integer(),
        keyChanges: keyChanges('how it came from its first key to its last one, the oldest first'),
      }),
      { description: 'logs that this one has succeeded, since a restored database could not go on with them' },
    ),
  },
  { $id: 'PublicLog' },
)
export type PublicLog = Static<typeof PublicLog>

/** Answers where the registry's log is, and by which key it is verified. */
export class GetLog {
  static readonly operation = operation({
    id: 'getLog',
    group: 'utility',
    at: 'GET /log',
    who: anyone(),
    summary: 'Where the log of the registry is, and the key that it is verified by',
    description:
      'Keep a copy of the key and the origin elsewhere: a check of the registry itself uses that copy, not this answer.',
    answer: PublicLog,
    refuses: ['logNotKept'],
  })
  static readonly inject = {
    logs: LogStore,
    checkpoints: CheckpointStore,
    told: ToldCheckpoint,
    changes: KeyChangeStore,
    witness: WitnessIdentity,
    site: Site,
  }

  constructor(private readonly use: Injected<typeof GetLog.inject>) {}

  async execute(): Promise<PublicLog> {
    const all = await this.use.logs.all()
    const current = all.at(-1)
    if (current === undefined) throw logErrors.error('logNotKept')
    const told = await this.use.told.of(current)
    const newest = typeof told === 'string' ? undefined : told
    const stampedAt = (await this.use.checkpoints.newestStamped(current.log))?.stampedAt
    const { verifierKey: witnessKey } = this.use.witness
    return {
      ...(await this.named(current)),
      ...(witnessKey !== undefined && { witnessKey }),
      size: newest?.size ?? 0,
      ...(newest && { checkpoint: newest.note }),
      ...(stampedAt !== undefined && { stampedAt }),
      earlier: await Promise.all(
        all.slice(0, -1).map(async (log) => ({ ...(await this.named(log)), endedAt: log.endedAt ?? log.startedAt })),
      ),
    }
  }

  private async named({ log, origin, name, verifierKey }: Log) {
    const address = logAddress(this.use.site, name)
    const changes = await this.use.changes.of(log)
    const keyChanges = changes.map(({ formerKey, changedAt, note }) => ({ formerKey, changedAt, checkpoint: note }))
    return { origin, address, keyChanges, ...(verifierKey !== undefined && { verifierKey }) }
  }
}
