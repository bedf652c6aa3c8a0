import Type, { type Static } from 'typebox'
import { askedSearch, searchCursorField, searchCursorOf, searchCursorParameter } from '../database/search-cursor.js'
import { Timeline, type TimelineItem } from '../database/timeline.js'
import { assertAuthenticated, type Caller, told } from '../identity/index.js'
import { Limits } from '../kernel/limits.js'
import { type Input, operation } from '../kernel/operation.js'
import { pageOfBytes } from '../kernel/page-of-bytes.js'
import type { Injected } from '../kernel/service.js'
import { OrganizationGuard } from '../organizations/index.js'
import { DataStates } from '../originals/index.js'
import { Signature } from '../signatures/index.js'
import { DigestEnds } from './digest-ends.js'
import { endingPart, ORIGINAL_STATES, type OriginalState, organizationList, ownList, partOf } from './document-lists.js'
import { DocumentStore, type ListedDocument, registratorObject } from './document-store.js'
import { DocumentLimits } from './limits.js'
import { RegistratorObject } from './schema.js'
import { type FoundDocuments, SearchDocuments } from './search-documents.js'
import { signatureObject } from './shown-signature.js'
import { SignatureStore } from './signature-store.js'

/** Query of `GET /api`. */
export const ListDocumentsQuery = Type.Object({
  from: Type.Optional(Type.Integer({ description: 'registered at this time or later, milliseconds' })),
  until: Type.Optional(Type.Integer({ description: 'registered before this time, milliseconds' })),
  organization: Type.Optional(Type.Boolean({ description: 'documents of the organization instead of your own' })),
  dataArchived: Type.Optional(Type.Boolean({ description: 'only documents whose data is archived, or is not' })),
  searchQuery: Type.Optional(Type.String({ description: 'words, or parts of them, of title, description, signers' })),
  ...searchCursorParameter,
  includeSignatures: Type.Optional(Type.Boolean()),
  incomplete: Type.Optional(Type.Boolean({ description: 'ours: only documents whose original never came, or did' })),
  digestsEnding: Type.Optional(
    Type.Boolean({
      description:
        'ours: true for only documents whose original has to be brought again, since all of its fixed hashes are trusted for less than a year; dataArchived and incomplete then say nothing',
    }),
  ),
})
export type ListDocumentsQuery = Static<typeof ListDocumentsQuery>

/** One line of a list of documents (specification, "Document list item"). */
export const DocumentListItem = Type.Object(
  {
    documentId: Type.String(),
    storedAt: Type.Integer({ description: 'milliseconds since the UNIX epoch' }),
    title: Type.String(),
    description: Type.String(),
    dataArchived: Type.Boolean(),
    signedDataSize: Type.Integer({ description: 'bytes; 0 when unknown' }),
    registrator: Type.Optional(RegistratorObject),
    signaturesTotal: Type.Integer(),
    digestsTrustedUntil: Type.Optional(
      Type.Integer({
        description: 'ours: with digestsEnding=true: when the last of its fixed hashes ends, milliseconds',
      }),
    ),
    signatures: Type.Optional(
      Type.Array(Signature, { description: 'with includeSignatures=true, as far as the page has room for them' }),
    ),
  },
  { $id: 'DocumentListItem' },
)
export type DocumentListItem = Static<typeof DocumentListItem>

/** Answer of `GET /api`. */
export const DocumentList = Type.Object(
  {
    documentsTotal: Type.Integer({
      description: 'exact; with searchQuery as far as matches were counted, at most 1000',
    }),
    documents: Type.Array(DocumentListItem),
    ...searchCursorField,
  },
  { $id: 'DocumentList' },
)
export type DocumentList = Static<typeof DocumentList>

/** A page, and where a search goes on. */
type FoundPage = Pick<FoundDocuments, 'total' | 'items'> & Partial<Pick<FoundDocuments, 'next' | 'after'>>

const NOTHING: DocumentList = { documentsTotal: 0, documents: [] }

/**
 * Lists the caller's documents, or those of their organization, newest first (specification, `GET /api`).
 * Read on with `until` set to the last `storedAt` until `documents` is empty.
 */
export class ListDocuments {
  static readonly operation = operation({
    id: 'listDocuments',
    group: 'documents',
    at: 'GET /',
    who: told('their own documents: people and employees; of the organization: who has `documentsList`'),
    summary:
      'List documents, newest first; read on with until set to the last storedAt until documents is empty, in a search with searchCursor until there is none',
    description:
      'People get what they signed in this context; with `organization=true` who has the right `documentsList` gets what the organization signed or registered. Words of `searchQuery` are found inside words too.',
    query: ListDocumentsQuery,
    answer: DocumentList,
    refuses: ['accessDenied', 'authenticationRequired', 'notOrganization', 'requestFieldTooLarge'],
  })
  static readonly inject = {
    timeline: Timeline,
    search: SearchDocuments,
    documents: DocumentStore,
    signatures: SignatureStore,
    guard: OrganizationGuard,
    states: DataStates,
    limits: Limits,
    documentLimits: DocumentLimits,
    ends: DigestEnds,
  }

  constructor(private readonly use: Injected<typeof ListDocuments.inject>) {}

  async execute(caller: Caller, { query = {} }: Input<typeof ListDocuments.operation> = {}): Promise<DocumentList> {
    const list = await this.list(caller, query.organization ?? false)
    if (list === undefined) return NOTHING
    const { total, items, next, after } = await this.find(list, query)
    if (items.length === 0) return { documentsTotal: total, documents: [], ...searchCursorOf(next) }
    const found = await this.use.documents.list(items.map(({ item }) => item))
    const archived = await this.use.states.archived(found.map(({ id }) => id))
    const trusted = query.digestsEnding === true ? await this.trustedUntil(found) : undefined
    const includeSignatures = query.includeSignatures ?? false
    const documents = await pageOfBytes(
      found,
      this.use.limits.pageBytes,
      ({ storedAt }) => storedAt,
      async (document, inShort) => {
        const digestsTrustedUntil = trusted?.get(document.id)
        return {
          ...(await this.item(document, archived.has(document.id), includeSignatures && !inShort)),
          ...(digestsTrustedUntil !== undefined && { digestsTrustedUntil }),
        }
      },
    )
    const last = documents.at(-1)
    const isCut = last !== undefined && documents.length < found.length
    return {
      documentsTotal: total,
      documents,
      ...searchCursorOf(isCut ? after?.({ at: last.storedAt, item: last.documentId }) : next),
    }
  }

  /** The list that the caller asks for, if they may see it. */
  private async list(caller: Caller, organization: boolean): Promise<string | undefined> {
    assertAuthenticated(caller)
    return organization ? organizationList(await this.use.guard.assert(caller, 'documentsList')) : ownList(caller)
  }

  private async find(list: string, query: ListDocumentsQuery): Promise<FoundPage> {
    const { from = 0, until = Number.MAX_SAFE_INTEGER } = query
    const search = askedSearch(query)
    const limit = this.use.limits.itemsPerPage
    const parts = this.partsOf(list, query)
    if (search !== undefined)
      return this.use.search.find(parts, search.query, { window: { from, until }, limit, cursor: search.cursor })
    const pages: { readonly total: number; readonly items: readonly TimelineItem[] }[] = []
    for (const part of parts) pages.push(await this.use.timeline.counted(part, { from, until }, limit))
    const items = newestOf(
      pages.flatMap((page) => page.items),
      limit,
    )
    return { total: pages.reduce((sum, { total }) => sum + total, 0), items }
  }

  /** The lists that together have what is asked for. */
  private partsOf(list: string, query: ListDocumentsQuery): string[] {
    if (query.digestsEnding === true) return this.use.ends.areNear ? [endingPart(list)] : []
    const states = statesOf(query)
    return states.length < ORIGINAL_STATES.length ? states.map((state) => partOf(list, state)) : [list]
  }

  /** When the last hash of each document ends. */
  private async trustedUntil(documents: readonly ListedDocument[]): Promise<ReadonlyMap<string, number>> {
    const digests = await this.use.documents.digestsOfAll(documents.map(({ id }) => id))
    return new Map(
      [...digests].flatMap(([id, known]) => {
        const { until = Number.POSITIVE_INFINITY } = this.use.ends.longest(known.keys()) ?? {}
        return Number.isFinite(until) ? [[id, until] as const] : []
      }),
    )
  }

  private async item(
    document: ListedDocument,
    dataArchived: boolean,
    includeSignatures: boolean,
  ): Promise<DocumentListItem> {
    const { id, storedAt, title, description, signedDataSize, registrator, signaturesTotal } = document
    return {
      documentId: id,
      storedAt,
      title,
      description,
      dataArchived,
      signedDataSize,
      ...(registrator && { registrator: registratorObject(registrator) }),
      signaturesTotal,
      ...(includeSignatures && {
        signatures: (await this.use.signatures.page(id, 0, this.use.documentLimits.signaturesPerCall)).map(
          signatureObject,
        ),
      }),
    }
  }
}

const statesOf = ({ dataArchived, incomplete }: ListDocumentsQuery): OriginalState[] =>
  ORIGINAL_STATES.filter(
    (state) =>
      (dataArchived === undefined || dataArchived === (state === 'archived')) &&
      (incomplete === undefined || incomplete === (state === 'incomplete')),
  )

/** The newest of several pages, and all others of the same millisecond as the last one. */
function newestOf(items: readonly TimelineItem[], limit: number): TimelineItem[] {
  const sorted = items.toSorted((a, b) => b.at - a.at || (a.item < b.item ? 1 : -1))
  const last = sorted[limit - 1]
  return last === undefined ? sorted : sorted.filter(({ at }) => at >= last.at)
}
