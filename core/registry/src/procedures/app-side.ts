import { timingSafeEqual } from 'node:crypto'
import type { Injected } from '../kernel/service.js'
import type { BodyStream } from '../kernel/upload.js'
import { AppLogins } from './app-logins.js'
import type { HeldConnection } from './connections.js'
import { DocumentExchange } from './document-exchange.js'
import { procedureErrors } from './errors.js'
import type { AppDocuments, Exchange } from './exchange.js'
import { appToken } from './links.js'
import { LoginExchange } from './login-exchange.js'
import { MoveProcedure } from './move-procedure.js'
import { PackageExchange } from './package-exchange.js'
import { isOpen, type Procedure, type ProcedureKind } from './procedure-store.js'
import { RawExchange } from './raw-exchange.js'

/** What the app shows at API 2 to prove itself. */
export interface AppProof {
  /** Secret of its link. */
  readonly secret: string
  /** `Authorization` header, as it came. */
  readonly authorization?: string | undefined
  /** A login signed with XML, of the entry `Eds`. */
  readonly xml?: string | undefined
}

/** The app's side of a procedure, whichever way the app comes. */
export class AppSide {
  static readonly inject = {
    raw: RawExchange,
    document: DocumentExchange,
    package: PackageExchange,
    login: LoginExchange,
    logins: AppLogins,
    moves: MoveProcedure,
  }
  private readonly exchanges: Readonly<Record<ProcedureKind, Exchange>>

  constructor(private readonly use: Injected<typeof AppSide.inject>) {
    this.exchanges = { raw: use.raw, document: use.document, package: use.package, login: use.login }
  }

  /** Rejects with `appNotAuthorized` for an app that does not prove itself as the procedure wants. */
  async assertProved(procedure: Procedure, { secret, authorization, xml }: AppProof): Promise<void> {
    const { authType } = procedure.details
    if (authType === 'Token' && !isToken(authorization, appToken(secret)))
      throw procedureErrors.error('appNotAuthorized', { reason: 'token' })
    if (authType !== 'Eds') return
    if (xml !== undefined) await this.use.logins.prove(procedure, secret, xml)
    else if (procedure.signer === undefined) throw procedureErrors.error('appNotAuthorized', { reason: 'login' })
  }

  /** What the app is to sign; from here on it has it. */
  async documents(procedure: Procedure, connection: HeldConnection): Promise<AppDocuments> {
    const documents = await this.prepared(procedure, connection)
    await this.delivered(procedure)
    return documents
  }

  /** What the app is to sign, before it has it. */
  async prepared(procedure: Procedure, connection: HeldConnection): Promise<AppDocuments> {
    assertGoesOn(procedure)
    return this.exchanges[procedure.kind].documents(procedure, connection)
  }

  /** The app has what it is to sign. */
  async delivered(procedure: Procedure): Promise<void> {
    if (procedure.status !== 'data') await this.use.moves.move(procedure, ['new', 'meta'], { status: 'data' })
  }

  /** Takes what the app returned. */
  async take(procedure: Procedure, body: BodyStream): Promise<void> {
    assertGoesOn(procedure)
    await this.exchanges[procedure.kind].take(procedure, body)
  }
}

function assertGoesOn({ status }: Procedure): void {
  if (!isOpen(status)) throw procedureErrors.error('qrInvalidState', { status })
}

function isToken(authorization: string | undefined, token: string): boolean {
  const [, text = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  const [given, due] = [Buffer.from(text), Buffer.from(token)]
  return given.length === due.length && timingSafeEqual(given, due)
}
