import type { MatrixCaller } from './callers.js'
import type { MatrixDocument, MatrixItem, MatrixPackage } from './objects.js'
import {
  mayChangePackageSettings,
  mayChangeSettings,
  mayFixDigests,
  maySend,
  maySendPackage,
  mayView,
  mayViewPackage,
  outcome,
  outcomeForItem,
  outcomeForOrganization,
} from './oracle.js'
import type { Request } from './world.js'

/** An endpoint about one object; `past` are the refusals that only who got past the access check is told. */
export interface ObjectEndpoint<T> {
  readonly route: string
  /** As docs/access.md says it. */
  readonly who: string
  request(id: string, facts: T): Omit<Request, 'method'>
  expected(caller: MatrixCaller, facts: T): string
  readonly past?: readonly string[]
}

const OTHER_ORIGINAL = { payload: Buffer.from('other'), headers: { 'content-type': 'application/octet-stream' } }

const viewing = (
  route: string,
  rest: string,
  more: Partial<ObjectEndpoint<MatrixDocument>> = {},
): ObjectEndpoint<MatrixDocument> => ({
  route,
  who: 'whoever may view the document',
  request: (id) => ({ url: `/${id}${rest}` }),
  expected: (caller, document) => outcome(caller, mayView(caller, document).length > 0),
  ...more,
})
const changing = (
  route: string,
  request: ObjectEndpoint<MatrixDocument>['request'],
): ObjectEndpoint<MatrixDocument> => ({
  route,
  who: 'whoever may change the settings of the document',
  request,
  expected: (caller, document) => outcome(caller, mayChangeSettings(caller, document).length > 0),
})

/** The settings of a document as they are, so that saving them changes nothing. */
const settingsOf = ({ private: isPrivate, rules = [], more }: MatrixDocument) => ({
  ...more,
  private: isPrivate,
  documentAccess: rules,
})

/** Receives whatever anybody may send in the matrix, and is none of the callers. */
const OUTSIDER = 'IIN300000000009'

export const DOCUMENT_ENDPOINTS: readonly ObjectEndpoint<MatrixDocument>[] = [
  viewing('GET /:id', ''),
  viewing('GET /:id/buildFileName', '/buildFileName?name=a.pdf'),
  viewing('GET /:id/signature/:signId', '/signature/999999', { past: ['invalidSignatureIdentifier'] }),
  viewing('POST /:id/verify', '', {
    request: (id) => ({ url: `/${id}/verify`, ...OTHER_ORIGINAL }),
    past: ['signatureDoesNotCorrespond'],
  }),
  changing('GET /:id/settingsAudit', (id) => ({ url: `/${id}/settingsAudit` })),
  changing('POST /:id/settings', (id, facts) => ({ url: `/${id}/settings`, payload: settingsOf(facts) })),
  {
    route: 'POST /:id',
    who: 'anyone: the signature is the proof',
    request: (id) => ({ url: `/${id}`, payload: { signature: '' } }),
    expected: (caller) => outcome(caller, true),
    past: ['signatureNotParsed'],
  },
  {
    route: 'POST /:id/data',
    who: 'anyone with a signed original; before the first signature who registered the document',
    request: (id) => ({ url: `/${id}/data`, ...OTHER_ORIGINAL }),
    expected: (caller, document) => outcome(caller, mayFixDigests(caller, document)),
    past: ['documentDigestsAlreadyKnown'],
  },
  {
    route: 'POST /:id/send',
    who: 'people, and employees and systems with `documentsPackagesRoute`, who may act on the document',
    request: (id) => ({ url: `/${id}/send`, payload: { to: OUTSIDER } }),
    expected: (caller, document) => outcome(caller, maySend(caller, document)),
    past: ['alreadySent'],
  },
]

const changingPackage = (
  route: string,
  request: ObjectEndpoint<MatrixPackage>['request'],
): ObjectEndpoint<MatrixPackage> => ({
  route,
  who: 'whoever may change the settings of the package',
  request,
  expected: (caller, found) => outcome(caller, mayChangePackageSettings(caller, found).length > 0),
})

export const PACKAGE_ENDPOINTS: readonly ObjectEndpoint<MatrixPackage>[] = [
  {
    route: 'GET /package/:packageId',
    who: 'whoever may view the package',
    request: (id) => ({ url: `/package/${id}` }),
    expected: (caller, found) => outcome(caller, mayViewPackage(caller, found).length > 0),
  },
  changingPackage('GET /package/:packageId/settingsAudit', (id) => ({ url: `/package/${id}/settingsAudit` })),
  changingPackage('POST /package/:packageId/settings', (id, facts) => ({
    url: `/package/${id}/settings`,
    payload: { private: facts.private, packageAccess: facts.access ?? [], packageSettings: facts.settings ?? [] },
  })),
  {
    route: 'POST /package/:packageId',
    who: 'anyone: the signatures are the proof',
    request: (id) => ({ url: `/package/${id}`, payload: { signatures: [] } }),
    expected: (caller) => outcome(caller, true),
    past: ['signaturesCountDiffers'],
  },
  {
    route: 'POST /package/:packageId/send',
    who: 'people, and employees and systems with `documentsPackagesRoute`, who may act on the package and its documents',
    request: (id) => ({ url: `/package/${id}/send`, payload: { to: OUTSIDER } }),
    expected: (caller, found) => outcome(caller, maySendPackage(caller, found)),
    past: ['alreadySent', 'tooManyWaitingItems'],
  },
]

const seeing = (side: 'sender' | 'receiver'): ObjectEndpoint<MatrixItem> => {
  const [path, id] = side === 'sender' ? ['outgoing', ':outgoingId'] : ['incoming', ':incomingId']
  return {
    route: `GET /${path}/${id}`,
    who: `the ${side}: the person, or employees and systems with \`routedDocumentsPackagesView\``,
    request: (itemId) => ({ url: `/${path}/${itemId}` }),
    expected: (caller, item) => outcomeForItem(caller, 'routedDocumentsPackagesView', side, item),
  }
}
const commenting = (side: 'sender' | 'receiver'): ObjectEndpoint<MatrixItem> => {
  const [path, id] = side === 'sender' ? ['outgoing', ':outgoingId'] : ['incoming', ':incomingId']
  return {
    route: `POST /${path}/${id}/comment`,
    who: `the ${side}: the person, or employees and systems with \`documentsPackagesRoute\``,
    request: (itemId) => ({ url: `/${path}/${itemId}/comment`, payload: { comment: 'so' } }),
    expected: (caller, item) => outcomeForItem(caller, 'documentsPackagesRoute', side, item),
    past: ['commentsClosed', 'commentsLimitReached'],
  }
}

export const ITEM_ENDPOINTS: readonly ObjectEndpoint<MatrixItem>[] = [
  seeing('receiver'),
  commenting('receiver'),
  seeing('sender'),
  commenting('sender'),
]

/** An endpoint that is about no object, or about the caller. */
export interface PlainEndpoint {
  readonly route: string
  readonly who: string
  readonly request: Omit<Request, 'method'>
  expected(caller: MatrixCaller): string
  readonly past?: readonly string[]
}

const open = (route: string, request: PlainEndpoint['request'], past: readonly string[] = []): PlainEndpoint => ({
  route,
  who: 'anyone',
  request,
  expected: (caller) => outcome(caller, true),
  past,
})
const isHuman = ({ kind }: MatrixCaller) => kind === 'person' || kind === 'employee'
const own = (route: string, url: string, payload?: object): PlainEndpoint => ({
  route,
  who: 'people and employees, about themselves',
  request: { url, ...(payload && { payload }) },
  expected: (caller) => outcome(caller, isHuman(caller)),
})
const ofOrganization = (route: string, url: string, payload?: object): PlainEndpoint => ({
  route,
  who: 'employees and systems with `organizationSettings`, about their organization',
  request: { url, ...(payload && { payload }) },
  expected: (caller) => outcomeForOrganization(caller, 'organizationSettings'),
})

export const PLAIN_ENDPOINTS: readonly PlainEndpoint[] = [
  {
    route: 'POST /auth',
    who: 'anyone but systems, which their certificate has authenticated',
    request: { url: '/auth', payload: {} },
    expected: (caller) => (caller.kind === 'system' ? 'alreadyAuthenticatedWithTls' : outcome(caller, true)),
  },
  own('GET /auth', '/auth'),
  own('GET /authLog', '/authLog'),
  own('GET /settings', '/settings'),
  own('POST /settings', '/settings', {}),
  own('GET /settingsAudit', '/settingsAudit'),
  ofOrganization('GET /organizationSettings', '/organizationSettings'),
  ofOrganization('POST /organizationSettings', '/organizationSettings', {}),
  ofOrganization('GET /organizationSettingsAudit', '/organizationSettingsAudit'),
  ofOrganization('GET /organizationSubscription', '/organizationSubscription'),
  {
    route: 'GET /organizationPermissions',
    who: 'employees and systems, about themselves',
    request: { url: '/organizationPermissions' },
    expected: (caller) => outcomeForOrganization(caller),
  },
  {
    route: 'POST /',
    who: 'anyone with a signature; without one systems',
    request: { url: '', payload: { title: 'preregistered' } },
    expected: (caller) => outcome(caller, caller.kind === 'system'),
  },
  open('POST /package', { url: '/package', payload: { documents: [] } }, ['packageWithoutDocuments']),
  open('POST /exported', { url: '/exported', payload: { signature: '' } }, ['signatureNotParsed']),
  open('GET /idFromFileName', { url: '/idFromFileName/?name=a' }, ['invalidFileName']),
  open('GET /normalizeId/:specialId', { url: '/normalizeId/a' }, ['invalidDocumentIdentifier']),
  open('GET /version', { url: '/version' }),
  open('GET /strings', { url: '/strings' }),
  open('GET /externalServicesStats', { url: '/externalServicesStats' }),
]

/** Asserted by what they list, in `access-matrix.test.ts`. */
export const LISTS = [
  { route: 'GET /', who: 'their own documents: people and employees; of the organization: who has `documentsList`' },
  {
    route: 'GET /package',
    who: 'packages that name them: people and employees; of the organization: who has `packagesList`',
  },
  {
    route: 'GET /incoming',
    who: 'what they received: people; of the organization: who has `routedDocumentsPackagesView`',
  },
  { route: 'GET /outgoing', who: 'what they sent: people; of the organization: who has `routedDocumentsPackagesView`' },
] as const

export const KNOWN_ENDPOINTS: readonly { route: string; who: string }[] = [
  ...LISTS,
  ...DOCUMENT_ENDPOINTS,
  ...PACKAGE_ENDPOINTS,
  ...ITEM_ENDPOINTS,
  ...PLAIN_ENDPOINTS,
]
