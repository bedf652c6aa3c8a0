import { Database } from '../database/database.js'
import { Groups } from '../database/groups.js'
import { EventPublisher } from '../events/index.js'
import type { Caller } from '../identity/index.js'
import { newId } from '../kernel/ids.js'
import { knownFields } from '../kernel/known-fields.js'
import type { Keep } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { Tracer } from '../kernel/tracer.js'
import type { VerifiedSignature } from '../signatures/index.js'
import { DocumentLists } from './document-lists.js'
import { type DocumentRecord, DocumentStore, registratorOf } from './document-store.js'
import { WaitingDocuments } from './forget-documents.js'
import { newSignature } from './kept-signature.js'
import { DocumentSettings, EmailNotifications } from './schema.js'
import { settingsAfterSignature } from './settings-rules.js'
import { SignatureStore } from './signature-store.js'

/** A document to be stored; its signature is verified already. */
export interface NewDocument {
  readonly document: DocumentRecord
  /** Its first signature. */
  readonly verified: VerifiedSignature | undefined
  readonly keep: Keep
  /** Stores what belongs to it; may lock other rows. */
  readonly alongside?: () => Promise<void>
}

/** The result of storing a document. */
export interface StoredDocument {
  readonly documentId: string
  readonly signId?: number
  /** Base64 of the data attached to its CMS. */
  readonly data?: string
}

/** A document and the trace of its registration: a group is stored as part of whichever came first. */
interface TracedDocument extends NewDocument {
  readonly traceparent: string | undefined
}

/** Stores new documents, concurrent ones in groups. */
export class NewDocuments {
  static readonly inject = {
    documents: DocumentStore,
    lists: DocumentLists,
    signatures: SignatureStore,
    events: EventPublisher,
    waiting: WaitingDocuments,
    database: Database,
    tracer: Tracer,
  }
  private readonly groups = new Groups((added: readonly TracedDocument[]) => this.store(added))

  constructor(private readonly use: Injected<typeof NewDocuments.inject>) {}

  /** Stores a document with its signature, lists, search words and events, all or nothing. */
  async add(added: NewDocument): Promise<StoredDocument> {
    // A group must not wait for locks that one document needs.
    if (added.alongside !== undefined) return this.addAlone(added)
    return this.groups.run(this.traced(added))
  }

  /** Like `add`, without grouping, and in the caller's transaction if there is one. */
  async addAlone(added: NewDocument): Promise<StoredDocument> {
    const [stored] = await this.store([this.traced(added)])
    if (stored === undefined) throw new TypeError('One document gives one answer')
    return stored
  }

  private traced(added: NewDocument): TracedDocument {
    return { ...added, traceparent: this.use.tracer?.traceparent() }
  }

  private store(added: readonly TracedDocument[]): Promise<StoredDocument[]> {
    return this.use.database.transaction(async () => {
      await this.use.documents.add(added.map(({ document }) => document))
      await this.use.lists.add(added.map(({ document, verified }) => ({ document, facts: verified?.facts })))
      const waiting = added.flatMap(({ document }) => (document.preregistered ? [document] : []))
      if (waiting.length > 0) await this.use.waiting.add(waiting)
      const signIds = await this.sign(added)
      await this.use.events.publish(...added.flatMap((one) => eventsOf(one, signIds.get(one.document.id))))
      const answers: StoredDocument[] = []
      for (const one of added) answers.push(await this.answer(one, signIds.get(one.document.id)))
      return answers
    })
  }

  /** Stores the signatures, and returns `signId` by `documentId`. */
  private async sign(added: readonly NewDocument[]): Promise<ReadonlyMap<string, number>> {
    const signatures = added.flatMap(({ document, verified }) =>
      verified ? [newSignature(verified, { document, storedAt: document.storedAt })] : [],
    )
    const [first, ...others] = signatures
    if (first === undefined) return new Map()
    if (others.length > 0) return this.use.signatures.addAll(signatures)
    return new Map([[first.documentId, await this.use.signatures.add(first)]])
  }

  private async answer({ document, verified, alongside, keep }: NewDocument, signId: number | undefined) {
    await alongside?.()
    return keep<StoredDocument>({
      documentId: document.id,
      ...(signId !== undefined && { signId }),
      ...(verified?.content && { data: Buffer.from(verified.content).toString('base64') }),
    })
  }
}

/** A new document with the fields of its request, and the first signature if there is one. */
export function newDocument(
  caller: Caller,
  {
    title = '',
    description = '',
    settings: given = {},
    emailNotifications,
  }: {
    readonly title?: string
    readonly description?: string
    readonly settings?: DocumentSettings
    readonly emailNotifications?: EmailNotifications
  },
  { verified, storedAt }: { readonly verified: VerifiedSignature | undefined; readonly storedAt: number },
): DocumentRecord {
  const settings = knownFields(DocumentSettings, given)
  return {
    id: newId(),
    storedAt,
    title,
    description,
    signedDataSize: 0,
    digestsFixedAt: undefined,
    settings: verified ? settingsAfterSignature(settings, 1) : settings,
    emailNotifications: emailNotifications && knownFields(EmailNotifications, emailNotifications),
    signaturesTotal: verified ? 1 : 0,
    preregistered: verified === undefined,
    packageId: undefined,
    registrator: registratorOf(caller),
  }
}

function eventsOf({ document, verified, traceparent }: TracedDocument, signId: number | undefined) {
  const { id: documentId, registrator } = document
  const registered = { type: 'documentRegistered', documentId, businessId: registrator?.bin, traceparent } as const
  if (verified === undefined || signId === undefined) return [registered]
  const { userId, businessId } = verified.facts
  return [registered, { type: 'signatureRegistered', documentId, signId, userId, businessId, traceparent } as const]
}
