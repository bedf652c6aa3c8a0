import Type, { type Static } from 'typebox'
import { NonceGuard } from '../auth/index.js'
import { EventPublisher } from '../events/index.js'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import type { Upload } from '../kernel/upload.js'
import { LogEntries } from '../log/index.js'
import { DataStates, type Digests } from '../originals/index.js'
import type { VerifiedSignature } from '../signatures/index.js'
import { digestsFact } from './document-facts.js'
import { type DocumentRecord, DocumentStore } from './document-store.js'
import { documentErrors } from './errors.js'
import { assertSigned, digestsToJson } from './kept-signature.js'
import { type Completion, CompletionListener, ConfiguredDigests, RegistrationMails, tellCompletion } from './ports.js'
import { createdProfiles } from './schema.js'
import { type CreatedProfiles, SignerProfiles } from './signer-profiles.js'
import { type IncomingDocument, TakeOriginal } from './take-original.js'

/** Answer of `POST /api/{id}/data`. */
export const FixedDigests = Type.Object(
  {
    documentId: Type.String(),
    signedDataSize: Type.Integer(),
    digests: Type.Record(Type.String(), Type.String(), { description: 'OID of the algorithm to base64 of the hash' }),
    emailNotifications: Type.Optional(
      Type.Object(
        {
          attached: Type.Boolean({ description: 'originals go with the mails, as far as is known now' }),
          message: Type.Optional(Type.String({ description: 'why no mails go out now' })),
        },
        { description: 'present where recipients were asked for; for a package, in the answer for its last document' },
      ),
    ),
    dataArchived: Type.Boolean(),
    tempStorage: Type.Boolean(),
    ...createdProfiles,
    outgoingId: Type.Optional(
      Type.String({ description: 'the item that was sent; for a package, in the answer for its last document' }),
    ),
  },
  { $id: 'FixedDigests' },
)
export type FixedDigests = Static<typeof FixedDigests>

/** The only signature that a document may have before its hashes are known. */
type FirstSignature = Pick<VerifiedSignature, 'facts' | 'signedDigests'>

/** A document whose original was uploaded. */
export interface Fixing {
  readonly document: IncomingDocument
  readonly first: FirstSignature | undefined
  readonly upload: Upload
}

/** The hashes of an original, and its size. */
export interface KnownOriginal extends Pick<Fixing, 'first'> {
  readonly digests: Digests
  readonly signedDataSize: number
}

/** Fixes the hashes of a document, once, from its original, in one pass and one transaction. */
export class DigestFixing {
  static readonly inject = {
    documents: DocumentStore,
    profiles: SignerProfiles,
    listeners: CompletionListener,
    events: EventPublisher,
    log: LogEntries,
    nonces: NonceGuard,
    configured: ConfiguredDigests,
    originals: TakeOriginal,
    states: DataStates,
    mails: RegistrationMails,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof DigestFixing.inject>) {}

  /** `before` runs first in the same transaction, for example to register the document; its result is part of the answer. */
  async fix<T extends object>(
    caller: Caller,
    { document, first, upload }: Fixing,
    before: () => Promise<T>,
  ): Promise<FixedDigests & T> {
    const signed = first?.signedDigests ?? new Map<string, Uint8Array>()
    const { done, digests } = await this.use.originals.take(caller, document, this.use.nonces.watchOriginal(upload), {
      algorithms: new Set([...this.use.configured(upload.size), ...signed.keys()]),
      spoolUntil: this.use.mails.spoolUntil(document, upload.size),
      check: (found) => assertSigned(signed, found),
      commit: async (found) => ({
        digests: found,
        done: {
          ...(await before()),
          ...(await this.fixKnown(caller, document.id, { digests: found, signedDataSize: upload.size, first })),
        },
      }),
    })
    const { dataArchived, tempStorage } = await this.use.states.kept(document.id)
    const emailNotifications = await this.use.mails.answer(document)
    return {
      documentId: document.id,
      signedDataSize: upload.size,
      digests: digestsToJson(digests),
      ...(emailNotifications && { emailNotifications }),
      dataArchived,
      tempStorage,
      ...done,
    }
  }

  /** Fixes hashes of an original that was read already, in the caller's transaction. */
  async fixKnown(
    caller: Caller,
    documentId: string,
    { digests, signedDataSize, first }: KnownOriginal,
  ): Promise<CreatedProfiles & Completion> {
    const document: DocumentRecord = await this.use.documents.lock(documentId)
    if (document.digestsFixedAt !== undefined) throw documentErrors.error('documentDigestsAlreadyKnown')
    const digestsFixedAt = this.use.clock.now()
    await this.use.documents.addDigests(document, digests)
    await this.use.documents.markDigestsFixed(documentId, signedDataSize, digestsFixedAt)
    await this.use.events.publish({ type: 'documentCompleted', documentId, packageId: document.packageId })
    const complete = { ...document, signedDataSize, digestsFixedAt }
    await this.use.log.append([digestsFact(complete, digests)])
    const created = first && (await this.use.profiles.ensure(first.facts, digestsFixedAt))
    return {
      ...(first && isSigner(caller, first) && created),
      ...(await tellCompletion(this.use.listeners, (listener) => listener.documentCompleted(complete))),
    }
  }
}

/** Settings contain the signer's e-mail address, so only the signer sees them, whoever uploads the original. */
const isSigner = (caller: Caller, { facts }: FirstSignature): boolean =>
  (caller.kind === 'person' || caller.kind === 'employee') && caller.iin === facts.userId
