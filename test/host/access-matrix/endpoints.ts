import { coreOperations } from '#core/core-areas.js'
import { UNTITLED } from '../../support/packages.js'
import type { MatrixCaller } from './callers.js'
import type { MatrixDocument, MatrixItem, MatrixPackage } from './objects.js'
import * as oracle from './oracle.js'
import type { Request } from './world.js'

type Asked = Omit<Request, 'method'>

/** An endpoint about one object; `past` are refusals that come after the access check. */
export interface ObjectEndpoint<T> {
  readonly route: string
  /** The route that its operation declares. */
  readonly who: string
  request(id: string, facts: T): Asked
  expected(caller: MatrixCaller, facts: T): string
  readonly past: readonly string[]
}

/** An endpoint that is about no object, or about the caller. */
export interface PlainEndpoint {
  readonly route: string
  readonly who: string
  readonly request: Asked
  expected(caller: MatrixCaller): string
  readonly past: readonly string[]
}

const OTHER_ORIGINAL = { payload: Buffer.from('other'), headers: { 'content-type': 'application/octet-stream' } }
/** Receives whatever anybody may send in the matrix, and is none of the callers. */
const OUTSIDER = 'IIN300000000009'
const UNKNOWN = 'A'.repeat(16)

/** The settings of a document as they are, so that saving them changes nothing. */
const settingsOf = ({ private: isPrivate, rules = [], more }: MatrixDocument) => ({
  ...more,
  private: isPrivate,
  documentAccess: rules,
})
const settingsOfPackage = ({ private: isPrivate, access = [], settings = [] }: MatrixPackage) => ({
  private: isPrivate,
  packageAccess: access,
  packageSettings: settings,
})

/** Query, body or headers of requests that need more than their URL. */
const ASKED: Readonly<Record<string, Partial<Asked>>> = {
  'GET /:id/buildFileName': { url: '?name=a.pdf' },
  'POST /:id/verify': OTHER_ORIGINAL,
  'POST /:id/buildDDC': { url: '?fileName=a.txt', ...OTHER_ORIGINAL },
  'POST /:id/buildPartnerCMS': OTHER_ORIGINAL,
  'POST /:id/evidence': OTHER_ORIGINAL,
  'POST /:id/integrationRegisterAuto': { payload: { documentTypeCode: 'x', signers: ['x'] } },
  'POST /:id': { payload: { signature: '' } },
  'POST /:id/data': OTHER_ORIGINAL,
  'POST /:id/send': { payload: { to: OUTSIDER } },
  'POST /:id/notify': { payload: { emailNotifications: { to: [] } } },
  'POST /:id/govQr': { payload: { description: '' } },
  'POST /package/:packageId': { payload: { signatures: [] } },
  'POST /package/:packageId/send': { payload: { to: OUTSIDER } },
  'POST /package/:packageId/notify': { payload: { emailNotifications: { to: [] } } },
  'POST /package/:packageId/govQr': { payload: { description: '' } },
  'POST /incoming/:incomingId/comment': { payload: { comment: 'so' } },
  'POST /outgoing/:outgoingId/comment': { payload: { comment: 'so' } },
  'POST /mailAddresses': { payload: { address: 'nobody@example.kz' } },
  'POST /organizationWebhooks/:webhookId/resend': { payload: { since: 0 } },
  'POST /': { payload: { title: 'preregistered' } },
  'POST /package': { payload: { ...UNTITLED, documents: [] } },
  'POST /templates': { payload: { name: 'Contract' } },
  'POST /exported': { payload: { signature: '' } },
  'POST /parseDDC': OTHER_ORIGINAL,
  'POST /checkPDFForDDC': OTHER_ORIGINAL,
  'POST /checkDDC': OTHER_ORIGINAL,
  'POST /checkEvidence': OTHER_ORIGINAL,
  'POST /checkFile': OTHER_ORIGINAL,
  'POST /registerFile': OTHER_ORIGINAL,
  'POST /parseEvidence': OTHER_ORIGINAL,
  'POST /checkRegistration': { payload: {} },
  'POST /checkSignature': { payload: { signature: 'MAA=' } },
  'POST /makeReport': { payload: { signatures: [{ name: 'a', signature: 'MAA=' }], documents: [] } },
  'POST /govQr': { payload: { description: '' } },
  'GET /idFromFileName': { url: '/?name=a' },
  'GET /findByDigest': { url: '?digest=AAAA' },
}

/** Bodies that depend on the object. */
const BODIES: Readonly<Record<string, (facts: never) => object>> = {
  'POST /:id/settings': settingsOf,
  'POST /package/:packageId/settings': settingsOfPackage,
}

/** The meaning of the words of guards, by the oracle; for words of a single operation see its route. */
const OF_DOCUMENTS: Readonly<Record<string, (caller: MatrixCaller, document: MatrixDocument) => boolean>> = {
  'whoever may view the document': (caller, document) => oracle.mayView(caller, document).length > 0,
  'whoever may change the settings of the document': (caller, document) =>
    oracle.mayChangeSettings(caller, document).length > 0,
  'whoever may act on the document': (caller, document) => oracle.mayAct(caller, document).length > 0,
  'whoever may read the original': oracle.mayReadData,
  'whoever may read the original and is authenticated': oracle.maySignByPhone,
  'POST /:id': () => true,
  'POST /:id/data': oracle.mayFixDigests,
  'POST /:id/send': oracle.maySend,
  'GET /:id/notifications': (caller, document) =>
    caller.kind !== 'anonymous' && oracle.mayView(caller, document).length > 0,
}
const OF_PACKAGES: Readonly<Record<string, (caller: MatrixCaller, found: MatrixPackage) => boolean>> = {
  'whoever may view the package': (caller, found) => oracle.mayViewPackage(caller, found).length > 0,
  'whoever may view the package and is authenticated': oracle.seesPackageByName,
  'whoever may change the settings of the package': (caller, found) =>
    oracle.mayChangePackageSettings(caller, found).length > 0,
  'whoever may act on the package': (caller, found) => oracle.mayActOnPackage(caller, found).length > 0,
  'whoever may view the package and read its originals, and is authenticated': oracle.maySignPackageByPhone,
  'POST /package/:packageId': () => true,
  'POST /package/:packageId/send': oracle.maySendPackage,
  'GET /package/:packageId/notifications': oracle.seesPackageByName,
  'GET /package/:packageId/evidence': oracle.mayProvePackage,
}

const isHuman = ({ kind }: MatrixCaller) => kind === 'person' || kind === 'employee'
const isOpen = (caller: MatrixCaller) => oracle.outcome(caller, true)
const OF_CALLERS: Readonly<Record<string, (caller: MatrixCaller) => string>> = {
  anyone: isOpen,
  'anyone but systems, which their certificate has authenticated': (caller) =>
    caller.kind === 'system' ? 'alreadyAuthenticatedWithTls' : isOpen(caller),
  'anyone authenticated, about the addresses in the settings that they look after': (caller) =>
    oracle.outcome(caller, caller.kind !== 'anonymous'),
  'people and employees, about themselves': (caller) => oracle.outcome(caller, isHuman(caller)),
  'employees and systems with `organizationSettings`, about their organization': (caller) =>
    oracle.outcomeForOrganization(caller, 'organizationSettings'),
  'of what they sent': oracle.outcomeForItems,
  'people, about their own': oracle.outcomeForSending,
  'employees and systems, about themselves': (caller) => oracle.outcomeForOrganization(caller),
  'POST /': (caller) => {
    const told = isOpen(caller)
    if (caller.kind === 'system' || told !== 'allowed') return told
    return caller.kind === 'anonymous' ? 'signatureMissing' : 'accessDenied'
  },
}
/** Whoever has the URL may use it, anonymously. */
const OF_HOLDERS = /^(the browser|whoever has the address|the mobile application|that phone)/

/** Codes that say who may call, and what is there for the caller: they never count as past the check. */
const ACCESS = [
  'authenticationRequired',
  'accessDenied',
  'notOrganization',
  'alreadyAuthenticatedWithTls',
  'signatureMissing',
  'tlsCertificateDisabled',
  'tlsCertificateNotListed',
  'tlsCertificatePending',
  'documentNotFound',
  'packageNotFound',
  'itemNotFound',
]
/** Refusals of the world that the matrix is asked in, which no operation names: it sends no mail, and cards have few workers. */
const OF_WORLD = ['mailNotAvailable', 'cardsBusy']

/** The rule of an operation: by its route, or by the beginning of the words of its guard. */
function ruleOf<R>(rules: Readonly<Record<string, R>>, at: string, words: string): R | undefined {
  return rules[at] ?? rules[words] ?? rules[words.split(/[;:]/, 1)[0] ?? '']
}

const own = coreOperations.map((operation) => {
  const { at, who, refusals } = operation
  const ofGuard = who.check === undefined ? [] : who.refuses
  const codes = refusals.map(({ code }) => code).filter((code) => !ofGuard.includes(code) && !ACCESS.includes(code))
  return { route: at, who: who.words, past: [...codes, ...OF_WORLD], path: at.split(' ')[1] ?? '' }
})
type Own = (typeof own)[number]

function asked({ route, path }: Own, id: string, facts: never): Asked {
  const { url = '', ...rest } = ASKED[route] ?? {}
  const body = BODIES[route]?.(facts)
  const address = path
    .replace(/:(id|packageId|incomingId|outgoingId)\b/, id)
    .replace(':signId', '999999')
    .replace(/:\w+/g, UNKNOWN)
  const isPost = !route.startsWith('GET ') && !route.startsWith('DELETE ')
  return { url: `${address === '/' ? '' : address}${url}`, ...(isPost && { payload: body ?? {} }), ...rest }
}

function endpointsOf<T>(
  prefix: RegExp,
  rules: Readonly<Record<string, (caller: MatrixCaller, facts: T) => boolean>>,
): ObjectEndpoint<T>[] {
  return own
    .filter(({ path }) => prefix.test(path))
    .map((operation) => {
      const rule = ruleOf(rules, operation.route, operation.who)
      if (rule === undefined) throw new Error(`No rule of the matrix for ${operation.route}: ${operation.who}`)
      return {
        ...operation,
        request: (id, facts) => asked(operation, id, facts as never),
        expected: (caller, facts) => oracle.outcome(caller, rule(caller, facts)),
      }
    })
}

export const DOCUMENT_ENDPOINTS = endpointsOf<MatrixDocument>(/^\/:id\b/, OF_DOCUMENTS)
export const PACKAGE_ENDPOINTS = endpointsOf<MatrixPackage>(/^\/package\/:packageId\b/, OF_PACKAGES)

const isOfItem = /^\/(incoming|outgoing)\/:/
export const ITEM_ENDPOINTS: readonly ObjectEndpoint<MatrixItem>[] = own
  .filter(({ path }) => isOfItem.test(path))
  .map((operation) => {
    const right = operation.who.includes('documentsPackagesRoute')
      ? 'documentsPackagesRoute'
      : 'routedDocumentsPackagesView'
    const side = operation.path.startsWith('/incoming') ? 'receiver' : 'sender'
    return {
      ...operation,
      request: (id, facts) => asked(operation, id, facts as never),
      expected: (caller, item) => oracle.outcomeForItem(caller, right, side, item),
    }
  })

/** Asserted by what they list, in `access-matrix.sweep.test.ts`. */
const LISTS = ['GET /', 'GET /package', 'GET /incoming', 'GET /outgoing']

export const PLAIN_ENDPOINTS: readonly PlainEndpoint[] = own
  .filter(
    ({ path, route }) => !/^\/(:id|package\/:packageId)\b/.test(path) && !isOfItem.test(path) && !LISTS.includes(route),
  )
  .map((operation) => {
    const expected = OF_HOLDERS.test(operation.who) ? isOpen : ruleOf(OF_CALLERS, operation.route, operation.who)
    if (expected === undefined) throw new Error(`No rule of the matrix for ${operation.route}: ${operation.who}`)
    return { ...operation, request: asked(operation, '', {} as never), expected }
  })

/** The addresses of all operations. */
export const KNOWN_ENDPOINTS = own.map(({ route }) => route)
