import { timingSafeEqual } from 'node:crypto'
import type { Injected } from '../kernel/service.js'
import type { BodyStream } from '../kernel/upload.js'
import { AppLogins } from './app-logins.js'
import { procedureErrors } from './errors.js'
import type { AppDocuments, Exchange, HeldConnection } from './exchange.js'
import { phoneSecret } from './links.js'
import { LoginExchange } from './login-exchange.js'
import { MoveProcedure } from './move-procedure.js'
import { Phones } from './phones.js'
import { isOpen, type Procedure, type ProcedureKind } from './procedure-store.js'
import { RawExchange } from './raw-exchange.js'
import { DocumentExchange, PackageExchange } from './signing-exchange.js'

/** How the app authenticates at API 2. */
export interface AppProof {
  /** From the address that this phone was given. */
  readonly secret: string
  /** The raw `Authorization` header. */
  readonly authorization?: string | undefined
  /** The XML-signed login of the entry `Eds`. */
  readonly xml?: string | undefined
}

/** The app's side of a procedure, whether the app comes directly or through a relay. */
export class AppSide {
  static readonly inject = {
    raw: RawExchange,
    document: DocumentExchange,
    package: PackageExchange,
    login: LoginExchange,
    phones: Phones,
    logins: AppLogins,
    moves: MoveProcedure,
  }
  private readonly exchanges: Readonly<Record<ProcedureKind, Exchange>>

  constructor(private readonly use: Injected<typeof AppSide.inject>) {
    this.exchanges = { raw: use.raw, document: use.document, package: use.package, login: use.login }
  }

  /**
   * Gives the procedure to the phone at this address. Rejects with `appNotAuthorized` for an app that does not authenticate as
   * the procedure demands, and with `qrTaken` where another phone has it.
   */
  async take(procedure: Procedure, { secret, authorization, xml }: AppProof): Promise<void> {
    const { authType } = procedure.details
    if (authType === 'Token' && !isTokenOf(secret, authorization))
      throw procedureErrors.error('appNotAuthorized', { reason: 'token' })
    if (authType !== 'Eds') return this.use.phones.take(procedure, secret)
    this.use.phones.assertNotTaken(procedure, secret)
    if (xml === undefined && procedure.signer === undefined)
      throw procedureErrors.error('appNotAuthorized', { reason: 'login' })
    const signer = xml === undefined ? undefined : await this.use.logins.prove(procedure, secret, xml)
    await this.use.phones.take(procedure, secret, signer)
  }

  /** What the app is to sign; it counts as delivered. */
  async documents(procedure: Procedure, connection: HeldConnection): Promise<AppDocuments> {
    const documents = await this.prepared(procedure, connection)
    await this.delivered(procedure)
    return documents
  }

  /** What the app is to sign; it does not count as delivered yet. */
  async prepared(procedure: Procedure, connection: HeldConnection): Promise<AppDocuments> {
    assertGoesOn(procedure)
    return this.exchanges[procedure.kind].documents(procedure, connection)
  }

  /** Records that the app has what it is to sign. */
  async delivered(procedure: Procedure): Promise<void> {
    if (procedure.status === 'data') return
    // A relay does not report the scan, only that the app has the documents.
    if (procedure.status === 'new') await this.use.moves.move(procedure, ['new'], { status: 'meta' })
    await this.use.moves.move(procedure, ['meta'], { status: 'data' })
  }

  /** Processes what the app returned. */
  async register(procedure: Procedure, body: BodyStream): Promise<void> {
    assertGoesOn(procedure)
    await this.exchanges[procedure.kind].take(procedure, body)
  }
}

function assertGoesOn({ status }: Procedure): void {
  if (!isOpen(status)) throw procedureErrors.error('qrInvalidState', { status })
}

function isTokenOf(secret: string, authorization: string | undefined): boolean {
  const [, token = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  const [given, due] = [Buffer.from(phoneSecret(token)), Buffer.from(secret)]
  return given.length === due.length && timingSafeEqual(given, due)
}
