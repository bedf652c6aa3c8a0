import Type from 'typebox'
import type { Caller } from '../identity/index.js'
import { told } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { Site } from '../kernel/site.js'
import { type BodyStream, textOf } from '../kernel/upload.js'
import { Ledger } from '../ledger/index.js'
import { type AppProof, AppSide } from './app-side.js'
import { procedureErrors } from './errors.js'
import type { AppDocuments } from './exchange.js'
import { type HeldConnection, unbroken } from './exchange.js'
import { FindProcedure } from './find-procedure.js'
import { thePhone } from './guards.js'
import { documentsAddress } from './links.js'
import { type PhoneRequest, Phones } from './phones.js'
import { memoryFor } from './returned-documents.js'
import { AppDescription, signingData } from './schema.js'

const CodeParams = Type.Object({ appId: Type.String({ description: 'from the code or the link' }) })
const AppParams = Type.Object({ appId: Type.String({ description: 'from the address that API 1 gave this phone' }) })
const Documents = Type.Unsafe<AppDocuments>(
  Type.Object(signingData, {
    $id: 'AppDocuments',
    description: 'what is to be signed; of a raw procedure whatever its caller sent',
  }),
)
const MAX_LOGIN = 64 * 1024

/** API 1 of the mobile app: tells who asks for what, and where the documents are. */
export class DescribeToApp {
  static readonly operation = operation({
    id: 'describeToApp',
    group: 'phone',
    at: 'GET /govQr/app/:appId',
    aliases: [{ at: 'GET /egovQr/egov/:appId' }],
    who: told('the mobile application: the first phone that follows the code or the link'),
    summary: 'API 1 of the mobile application: who asks, and where the documents are',
    description:
      'For the mobile application alone, which is led there by the code or the link. These are usable once: a second phone is told `QR code or link has already been used`.',
    params: CodeParams,
    answer: AppDescription,
    refuses: ['qrInvalidState', 'qrNotActive', 'qrTaken'],
  })
  static readonly inject = { find: FindProcedure, phones: Phones, site: Site }

  constructor(private readonly use: Injected<typeof DescribeToApp.inject>) {}

  /** The secret in the path identifies the procedure; each answer has an address and a token of its own. */
  async execute(
    caller: Caller,
    { appId }: Input<typeof DescribeToApp.operation>,
    phone: PhoneRequest = {},
  ): Promise<AppDescription> {
    const procedure = await this.use.find.bySecret('appKey', appId)
    const { secret, token } = await this.use.phones.admit(procedure, caller, phone)
    const { details, expireAt } = procedure
    const { description, organisation, authType } = details
    return {
      description,
      expiry_date: new Date(expireAt).toISOString().replace('Z', '+00:00'),
      organisation,
      document: {
        uri: documentsAddress(this.use.site, secret),
        auth_type: authType,
        auth_token: authType === 'Token' ? token : '',
      },
    }
  }
}

/** API 2 of the mobile app: answers the documents; held until the caller has sent them. */
export class GiveToApp {
  static readonly operation = operation({
    id: 'giveToApp',
    group: 'phone',
    at: 'GET /govQr/app/:appId/documents',
    who: thePhone,
    summary: 'API 2 of the mobile application: the documents, for entries None and Token',
    description:
      'For the mobile application alone, with the token that API 1 gave it. Held for a minute while a caller has not brought the documents.',
    params: AppParams,
    answer: Documents,
    alsoAnswers: ['application/octet-stream'],
    refuses: ['appNotAuthorized', 'qrNotActive', 'qrTaken'],
  })
  static readonly inject = { find: FindProcedure, app: AppSide }

  constructor(private readonly use: Injected<typeof GiveToApp.inject>) {}

  /** The secret in the path and the proof authenticate the caller. */
  async execute(
    _caller: Caller,
    { appId }: Input<typeof GiveToApp.operation>,
    proof: Omit<AppProof, 'secret'> = {},
    connection: HeldConnection = unbroken,
  ): Promise<AppDocuments> {
    const procedure = await this.use.find.byPhone(appId)
    await this.use.app.take(procedure, { ...proof, secret: appId })
    return this.use.app.documents(procedure, connection)
  }
}

/** API 2 with the entry `Eds`: the same for an app that presents a login signed by its user. */
export class GiveToSigner {
  static readonly operation = operation({
    id: 'giveToSigner',
    group: 'phone',
    at: 'POST /govQr/app/:appId/documents',
    who: thePhone,
    summary: 'API 2 of the mobile application: the documents, for the entry Eds',
    description:
      'For the mobile application alone. The body is JSON with `xml`: the address and the time, signed by its user.',
    params: AppParams,
    stream: true,
    answer: Documents,
    alsoAnswers: ['application/octet-stream'],
    refuses: ['appNotAuthorized', 'qrNotActive', 'qrTaken'],
  })
  static readonly inject = { find: FindProcedure, app: AppSide }

  constructor(private readonly use: Injected<typeof GiveToSigner.inject>) {}

  /** The signed login authenticates the caller. */
  async execute(
    _caller: Caller,
    { appId, body }: Input<typeof GiveToSigner.operation>,
    connection: HeldConnection = unbroken,
  ): Promise<AppDocuments> {
    const procedure = await this.use.find.byPhone(appId)
    const xml = await loginIn(body)
    await this.use.app.take(procedure, { secret: appId, xml })
    return this.use.app.documents(procedure, connection)
  }
}

/** Answer to the app once it has returned everything. */
export const AppDone = Type.Object(
  { backUrl: Type.Optional(Type.String({ description: 'where the app leads its user' })) },
  { $id: 'AppDone' },
)

/** API 2 of the mobile app: takes what it signed, or its user's refusal. */
export class TakeFromApp {
  static readonly operation = operation({
    id: 'takeFromApp',
    group: 'phone',
    at: 'PUT /govQr/app/:appId/documents',
    who: thePhone,
    summary: 'API 2 of the mobile application: what it returns',
    description:
      'For the mobile application alone. Answers `success`, or `backUrl` in JSON, once everything is registered; one success for one code.',
    params: AppParams,
    stream: true,
    answer: AppDone,
    alsoAnswers: ['text/plain'],
    refuses: [
      'appExchangeFailed',
      'appNotAuthorized',
      'badSignerCertificate',
      'invalidCertificateStatus',
      'invalidNonce',
      'otherSigner',
      'qrInvalidState',
      'qrNotActive',
      'qrTaken',
      'shareTaken',
      'signatureAlreadySubmitted',
      'signatureDoesNotConform',
      'signatureDoesNotCorrespond',
      'signatureNotParsed',
    ],
  })
  static readonly inject = { find: FindProcedure, app: AppSide, ledger: Ledger }

  constructor(private readonly use: Injected<typeof TakeFromApp.inject>) {}

  /** The secret in the path and the proof authenticate the caller. */
  async execute(
    caller: Caller,
    { appId, body }: Input<typeof TakeFromApp.operation>,
    proof: Omit<AppProof, 'secret'> = {},
  ): Promise<{ backUrl?: string }> {
    const procedure = await this.use.find.byPhone(appId)
    await this.use.app.take(procedure, { ...proof, secret: appId })
    // Raw data is streamed; anything else is read into memory.
    const memory = procedure.kind === 'raw' ? 0 : memoryFor(body)
    const register = () => this.use.app.register(procedure, body)
    await (memory === 0 ? register() : this.use.ledger.with('memory', caller, memory, register))
    const { backUrl } = procedure.details
    return backUrl === undefined ? {} : { backUrl }
  }
}

async function loginIn(body: BodyStream): Promise<string> {
  try {
    const { xml } = Object(JSON.parse(await textOf(body, MAX_LOGIN)))
    if (typeof xml === 'string') return xml
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw procedureErrors.error('appNotAuthorized', { reason: 'malformed' })
}
