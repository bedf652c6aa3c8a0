import { UNTITLED } from '../../support/packages.js'
import type { MatrixCaller } from './callers.js'
import type { MatrixDocument, MatrixItem, MatrixPackage } from './objects.js'
import {
  mayAct,
  mayActOnPackage,
  mayChangePackageSettings,
  mayChangeSettings,
  mayFixDigests,
  mayReadData,
  maySend,
  maySendPackage,
  maySignByPhone,
  maySignPackageByPhone,
  mayView,
  mayViewPackage,
  outcome,
  outcomeForItem,
  outcomeForOrganization,
  seesPackageByName,
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

const acting = (
  route: string,
  request: ObjectEndpoint<MatrixDocument>['request'],
  past: readonly string[],
): ObjectEndpoint<MatrixDocument> => ({
  route,
  who: 'whoever may act on the document',
  request,
  expected: (caller, document) => outcome(caller, mayAct(caller, document).length > 0),
  past,
})

/** The settings of a document as they are, so that saving them changes nothing. */
const settingsOf = ({ private: isPrivate, rules = [], more }: MatrixDocument) => ({
  ...more,
  private: isPrivate,
  documentAccess: rules,
})

/** Receives whatever anybody may send in the matrix, and is none of the callers. */
const OUTSIDER = 'IIN300000000009'

const OPERATION = 'govOperation/AAAAAAAAAAAAAAAA'
const byPhone = (route: string, url: string, payload?: object): ObjectEndpoint<MatrixDocument> => ({
  route,
  who: 'whoever may read the original and is authenticated',
  request: (id) => ({ url: `/${id}/${url}`, ...(payload && { payload }) }),
  expected: (caller, document) => outcome(caller, maySignByPhone(caller, document)),
  past: ['documentDigestsNotKnown', 'dataNotStored', 'wholePackageRequired', 'operationNotFound'],
})
const packageByPhone = (route: string, url: string, payload?: object): ObjectEndpoint<MatrixPackage> => ({
  route,
  who: payload
    ? 'whoever may view the package and read its originals, and is authenticated'
    : 'whoever may view the package and is authenticated',
  request: (id) => ({ url: `/package/${id}/${url}`, ...(payload && { payload }) }),
  expected: (caller, found) =>
    outcome(caller, payload ? maySignPackageByPhone(caller, found) : seesPackageByName(caller, found)),
  past: ['documentDigestsNotKnown', 'dataNotStored', 'operationNotFound'],
})

export const DOCUMENT_ENDPOINTS: readonly ObjectEndpoint<MatrixDocument>[] = [
  viewing('GET /:id', ''),
  viewing('GET /:id/digests', '/digests'),
  viewing('GET /:id/proof', '/proof', {
    who: 'whoever may view the document; anyone where its setting `publicProof` is on',
    past: ['documentDigestsNotKnown'],
  }),
  viewing('GET /:id/buildFileName', '/buildFileName?name=a.pdf'),
  viewing('GET /:id/signature/:signId', '/signature/999999', { past: ['invalidSignatureIdentifier'] }),
  viewing('GET /:id/data', '/data', {
    who: 'whoever may view the document and is authenticated; anyone where settings open it to everyone',
    expected: (caller, document) => outcome(caller, mayReadData(caller, document)),
    past: ['archiveNotFound'],
  }),
  viewing('POST /:id/verify', '', {
    request: (id) => ({ url: `/${id}/verify`, ...OTHER_ORIGINAL }),
    past: ['signatureDoesNotCorrespond'],
  }),
  viewing('POST /:id/buildDDC', '', {
    who: 'whoever may view the document; without a body whoever may read its stored original',
    request: (id) => ({ url: `/${id}/buildDDC?fileName=a.txt`, ...OTHER_ORIGINAL }),
    past: ['notSupportedDocumentType'],
  }),
  viewing('POST /:id/buildPartnerCMS', '', {
    who: 'whoever may view the document; without a body whoever may read its stored original',
    request: (id) => ({ url: `/${id}/buildPartnerCMS`, ...OTHER_ORIGINAL }),
    past: ['signatureDoesNotCorrespond', 'noSignaturesInFormat', 'documentDigestsNotKnown'],
  }),
  acting(
    'POST /:id/integrationRegisterAuto',
    (id) => ({ url: `/${id}/integrationRegisterAuto`, payload: { documentTypeCode: 'x', signers: ['x'] } }),
    ['fieldNotSupported'],
  ),
  acting('GET /:id/integrationRegisterAuto', (id) => ({ url: `/${id}/integrationRegisterAuto` }), [
    'integrationNotFound',
  ]),
  viewing('GET /:id/signature/:signId/qr', '/signature/999999/qr', { past: ['invalidSignatureIdentifier'] }),
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
  {
    route: 'POST /:id/notify',
    who: 'whoever may act on the document',
    request: (id) => ({ url: `/${id}/notify`, payload: { emailNotifications: { to: [] } } }),
    expected: (caller, document) => outcome(caller, mayAct(caller, document).length > 0),
    past: ['mailNotAvailable'],
  },
  byPhone('POST /:id/govQr', 'govQr', { description: '' }),
  {
    route: 'GET /:id/notifications',
    who: 'whoever may view the document and is authenticated, about the mails that they asked for',
    request: (id) => ({ url: `/${id}/notifications` }),
    expected: (caller, document) =>
      outcome(caller, caller.kind !== 'anonymous' && mayView(caller, document).length > 0),
  },
  byPhone('GET /:id/govOperation/:operationId', OPERATION),
  byPhone('DELETE /:id/govOperation/:operationId', OPERATION),
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
  {
    route: 'POST /package/:packageId/notify',
    who: 'whoever may act on the package; of its documents originals go out that the caller may read',
    request: (id) => ({ url: `/package/${id}/notify`, payload: { emailNotifications: { to: [] } } }),
    expected: (caller, found) => outcome(caller, mayActOnPackage(caller, found).length > 0),
    past: ['mailNotAvailable'],
  },
  packageByPhone('POST /package/:packageId/govQr', 'govQr', { description: '' }),
  {
    route: 'GET /package/:packageId/notifications',
    who: 'whoever may view the package and is authenticated, about the mails that they asked for',
    request: (id) => ({ url: `/package/${id}/notifications` }),
    expected: (caller, found) => outcome(caller, seesPackageByName(caller, found)),
  },
  packageByPhone('GET /package/:packageId/govOperation/:operationId', OPERATION),
  packageByPhone('DELETE /package/:packageId/govOperation/:operationId', OPERATION),
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
const OF_SETTINGS = 'anyone authenticated, about the addresses in the settings that they look after'
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

const UNKNOWN = 'A'.repeat(16)
const ofWebhook = (route: string, payload?: object): PlainEndpoint => ({
  ...ofOrganization(route, (route.split(' ')[1] ?? '').replace(':webhookId', UNKNOWN), payload),
  past: ['webhookNotFound'],
})

const holder = (route: string, who: string, payload?: object): PlainEndpoint => ({
  ...open(route, { url: (route.split(' ')[1] ?? '').replace(/:\w+/, UNKNOWN), ...(payload && { payload }) }, [
    'qrNotActive',
    'appNotAuthorized',
  ]),
  who,
})
const WHO_BEGAN = 'whoever has the address, which who began it was told'
const THE_APP = 'the mobile application: the first phone that follows the code or the link'
const THE_PHONE = 'that phone alone, at the address that it was given, and proved as was asked'

export const PLAIN_ENDPOINTS: readonly PlainEndpoint[] = [
  {
    route: 'POST /auth',
    who: 'anyone but systems, which their certificate has authenticated',
    request: { url: '/auth', payload: {} },
    expected: (caller) => (caller.kind === 'system' ? 'alreadyAuthenticatedWithTls' : outcome(caller, true)),
  },
  own('GET /auth', '/auth'),
  {
    route: 'POST /auth/govQr',
    who: 'anyone but systems, which their certificate has authenticated',
    request: { url: '/auth/govQr', payload: {} },
    expected: (caller) => (caller.kind === 'system' ? 'alreadyAuthenticatedWithTls' : outcome(caller, true)),
    past: ['qrTooMany'],
  },
  holder('GET /auth/govQr/:loginId', 'the browser that began it'),
  holder('POST /auth/govQr/:loginId', 'the browser that began it', {}),
  own('GET /authLog', '/authLog'),
  own('GET /settings', '/settings'),
  own('POST /settings', '/settings', {}),
  own('GET /settingsAudit', '/settingsAudit'),
  {
    route: 'GET /mailAddresses',
    who: OF_SETTINGS,
    request: { url: '/mailAddresses' },
    expected: (caller) => outcome(caller, caller.kind !== 'anonymous'),
  },
  {
    route: 'POST /mailAddresses',
    who: OF_SETTINGS,
    request: { url: '/mailAddresses', payload: { address: 'nobody@example.kz' } },
    expected: (caller) => outcome(caller, caller.kind !== 'anonymous'),
    past: ['mailAddressNotFound'],
  },
  ofOrganization('GET /organizationSettings', '/organizationSettings'),
  ofOrganization('POST /organizationSettings', '/organizationSettings', {}),
  ofOrganization('GET /organizationSettingsAudit', '/organizationSettingsAudit'),
  ofOrganization('GET /organizationSubscription', '/organizationSubscription'),
  ofOrganization('GET /organizationWebhooks', '/organizationWebhooks'),
  ofWebhook('POST /organizationWebhooks/:webhookId/rotateSecret', {}),
  ofWebhook('GET /organizationWebhooks/:webhookId/deliveries'),
  ofWebhook('POST /organizationWebhooks/:webhookId/resend', { since: 0 }),
  ofWebhook('POST /organizationWebhooks/:webhookId/ping', {}),
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
    expected: (caller) => {
      const told = outcome(caller, true)
      if (caller.kind === 'system' || told !== 'allowed') return told
      return caller.kind === 'anonymous' ? 'signatureMissing' : 'accessDenied'
    },
  },
  open('POST /package', { url: '/package', payload: { ...UNTITLED, documents: [] } }, ['packageWithoutDocuments']),
  open('POST /exported', { url: '/exported', payload: { signature: '' } }, ['signatureNotParsed']),
  open('POST /parseDDC', { url: '/parseDDC', ...OTHER_ORIGINAL }, ['cardsBusy', 'cardNotParsed']),
  open('POST /checkPDFForDDC', { url: '/checkPDFForDDC', ...OTHER_ORIGINAL }, ['cardsBusy', 'cardNotBuilt']),
  open('POST /checkDDC', { url: '/checkDDC', ...OTHER_ORIGINAL }, ['cardsBusy', 'cardNotParsed']),
  open('POST /checkSignature', { url: '/checkSignature', payload: { signature: 'MAA=' } }, ['signatureNotParsed']),
  open('POST /makeReport', {
    url: '/makeReport',
    payload: { signatures: [{ name: 'a', signature: 'MAA=' }], documents: [] },
  }),
  open('GET /idFromFileName', { url: '/idFromFileName/?name=a' }, ['invalidFileName']),
  open('GET /normalizeId/:specialId', { url: '/normalizeId/a' }, ['invalidDocumentIdentifier']),
  open('GET /findByDigest', { url: '/findByDigest?digest=AAAA' }),
  open('POST /govQr', { url: '/govQr', payload: { description: '' } }, ['qrTooMany']),
  holder('POST /govQr/:qrId', WHO_BEGAN, {}),
  holder('GET /govQr/:qrId', WHO_BEGAN),
  holder('DELETE /govQr/:qrId', WHO_BEGAN),
  holder('GET /govQr/:qrId/state', WHO_BEGAN),
  holder('GET /govQr/app/:appId', THE_APP),
  holder('GET /govQr/app/:appId/documents', THE_PHONE),
  holder('POST /govQr/app/:appId/documents', THE_PHONE, {}),
  holder('PUT /govQr/app/:appId/documents', THE_PHONE, {}),
  open('GET /version', { url: '/version' }),
  open('GET /statementKey', { url: '/statementKey' }, ['statementKeyMissing']),
  open('GET /strings', { url: '/strings' }),
  open('GET /externalServicesStats', { url: '/externalServicesStats' }),
]

/** Asserted by what they list, in `access-matrix.sweep.test.ts`. */
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
