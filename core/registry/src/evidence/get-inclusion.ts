import { policyVerdict } from '@signed-registry/verifier/log'
import Type, { type Static } from 'typebox'
import { onDocument, SignatureParams, SignatureStore } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { logAddress, Site } from '../kernel/site.js'
import { LogSettings, type ProvedEntry, ProveEntry, type PublishedCheckpoint } from '../log/index.js'
import { evidenceTime } from '../signatures/index.js'
import { Time } from './checked-log.js'

/** Answer of `GET /api/{id}/signature/{signId}/inclusion`. */
export const SignatureInclusion = Type.Object(
  {
    documentId: Type.String(),
    signId: Type.Integer(),
    state: Type.Enum(['off', 'absent', 'pending', 'logged', 'changed', 'broken'], {
      description:
        'off: the registry keeps no log; absent: it is not in the log, as it should be only if it was registered while the registry kept none; pending: it is in no checkpoint yet; logged: the other fields prove it; changed: what the registry has is not what was logged; broken: the log cannot be read',
    }),
    origin: Type.Optional(Type.String({ description: 'name of the log' })),
    verifierKey: Type.Optional(
      Type.String({
        description:
          'key of the log that signed the checkpoint, as the registry says: who doubts it has the key from elsewhere',
      }),
    ),
    address: Type.Optional(Type.String({ description: 'prefix of its checkpoint and tiles (C2SP tlog-tiles)' })),
    index: Type.Optional(Type.Integer({ description: 'number of the entry, from 0' })),
    size: Type.Optional(Type.Integer({ description: 'entries in the tree of the checkpoint' })),
    signedAt: Time('when the checkpoint was signed, which only the registry says'),
    loggedBefore: Time('time of the stamp over the checkpoint; absent until it has one'),
    loggedAfter: Time(
      'the later of the times of the stamp over the signature and of the OCSP answer: the entry has the hashes of both, so it was made after them',
    ),
    witnesses: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), time: Type.Integer({ description: 'milliseconds' }) }), {
        description: 'who cosigned the checkpoint, of the witnesses that the registry asks',
      }),
    ),
    proof: Type.Optional(
      Type.String({ description: 'C2SP tlog-proof; its extra data are the salt and the text of the entry' }),
    ),
    stamp: Type.Optional(
      Type.String({ description: 'base64 of the time-stamp token (RFC 3161) over the checkpoint in the proof' }),
    ),
  },
  { $id: 'SignatureInclusion' },
)
export type SignatureInclusion = Static<typeof SignatureInclusion>

type LoggedEntry = Extract<ProvedEntry, { state: 'logged' }>

/** What an entry has of its checkpoint. */
type CheckpointSaid = Pick<
  SignatureInclusion,
  'size' | 'signedAt' | 'verifierKey' | 'address' | 'loggedBefore' | 'witnesses'
>

/** What is proved of a signature, without the proof. */
export type ProvedInclusion = Pick<SignatureInclusion, 'state' | 'index'> & CheckpointSaid

/** Proves that a signature is in the transparency log of the registry, or says plainly that it is not. */
export class GetSignatureInclusion {
  static readonly operation = operation({
    id: 'getSignatureInclusion',
    group: 'evidence',
    at: 'GET /:id/signature/:signId/inclusion',
    who: onDocument('view'),
    summary: 'Proof that a signature is in the transparency log of the registry',
    description:
      'Of the first stamped checkpoint that has it, or of a later one where too few witnesses cosigned that; of the first while none is stamped. JSON, or the proof alone for who accepts text/plain, where there is one: as a file, when a browser follows a link.',
    params: SignatureParams,
    answer: SignatureInclusion,
    alsoAnswers: ['text/plain'],
    refuses: ['invalidSignatureIdentifier'],
  })
  static readonly inject = { signatures: SignatureStore, proving: ProveEntry, settings: LogSettings, site: Site }

  constructor(private readonly use: Injected<typeof GetSignatureInclusion.inject>) {}

  async execute(
    _caller: Caller,
    { id: documentId, signId }: Admitted<typeof GetSignatureInclusion.operation>,
  ): Promise<SignatureInclusion> {
    const { facts } = await this.use.signatures.get(documentId, signId)
    const found = await this.use.proving.of('signature', `${signId}`)
    if (found.state !== 'logged') return { documentId, signId, state: found.state }
    return { documentId, signId, ...this.proved(found, evidenceTime(facts)) }
  }

  /**
   * What is proved, by `signId`, of signatures of one document, for callers that have read it and so need not be checked
   * again: without the proofs, which they would not show.
   */
  async ofAll(signIds: readonly number[]): Promise<ReadonlyMap<number, ProvedInclusion>> {
    const found = await this.use.proving.ofAll(
      'signature',
      signIds.map((signId) => `${signId}`),
    )
    const said = new Map<PublishedCheckpoint, CheckpointSaid>()
    const told = (entry: ProvedEntry = { state: 'absent' }): ProvedInclusion => {
      if (entry.state !== 'logged') return { state: entry.state }
      const known = said.get(entry.checkpoint) ?? this.saidOf(entry)
      said.set(entry.checkpoint, known)
      return { state: entry.state, index: entry.index, ...known }
    }
    return new Map(signIds.map((signId) => [signId, told(found.get(`${signId}`))]))
  }

  private proved(
    found: LoggedEntry,
    loggedAfter: number | undefined,
  ): Omit<SignatureInclusion, 'documentId' | 'signId'> {
    const { state, origin, index, proof } = found
    const { stamp } = found.checkpoint
    return {
      ...{ state, origin, index, proof, ...this.saidOf(found) },
      ...(loggedAfter !== undefined && { loggedAfter }),
      ...(stamp && { stamp: Buffer.from(stamp).toString('base64') }),
    }
  }

  /** What every entry that a checkpoint covers has of it. */
  private saidOf({ verifierKey, name, size, checkpoint }: LoggedEntry): CheckpointSaid {
    const { note, signedAt, stampedAt } = checkpoint
    const { witnesses: policy } = this.use.settings
    const seen = policy === undefined ? [] : policyVerdict(note, policy).witnesses
    return {
      ...{ size, signedAt },
      ...(verifierKey !== undefined && { verifierKey }),
      address: logAddress(this.use.site, name),
      ...(stampedAt !== undefined && { loggedBefore: stampedAt }),
      witnesses: seen.map((one) => ({ name: one.name, time: one.time * 1000 })),
    }
  }
}
