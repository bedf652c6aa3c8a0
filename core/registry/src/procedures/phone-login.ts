import { randomInt } from 'node:crypto'
import Type from 'typebox'
import { AuthenticationResult, authErrors, Logins, type Session } from '../auth/index.js'
import { anonymous, anyoneButSystems, type Caller, told } from '../identity/index.js'
import { type Answer, type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { Site } from '../kernel/site.js'
import { AskingOrganizations } from './asking-organization.js'
import { BeginProcedure } from './begin-procedure.js'
import { procedureErrors } from './errors.js'
import { FindProcedure } from './find-procedure.js'
import { stateOf } from './get-raw-state.js'
import { ProcedureLimits } from './limits.js'
import { type Procedure, ProcedureStore } from './procedure-store.js'
import { BegunProcedure, ProcedureState } from './schema.js'

/** The browser that logs in; its server keeps the secret and the session, for example in cookies. */
export interface PhoneLoginVisit {
  readonly ip: string
  readonly isMutualTls: boolean
  /** The secret that `remember` was given, as the browser sends it back. */
  readonly secret?: string | undefined
  /** Stores the secret in the browser, with which only it can fetch the session. */
  remember(secret: string, expireAt: number): void
  begin(session: Session): Promise<void>
}

const LoginParams = Type.Object({ loginId: Type.String() })
const { operationId: _operationId, ...links } = BegunProcedure.properties

/** A login by phone that has begun. */
const BegunPhoneLogin = Type.Object(
  {
    loginId: Type.String(),
    confirmationCode: Type.String({
      description: '4 digits to be shown beside the code: the app shows the same, and people compare them',
    }),
    ...links,
  },
  { $id: 'BegunPhoneLogin' },
)

/** Begins a login by the mobile app (not in the specification). */
export class BeginPhoneLogin {
  static readonly operation = operation({
    id: 'beginPhoneLogin',
    group: 'authentication',
    at: 'POST /auth/govQr',
    who: anyoneButSystems,
    summary: 'Begin to log in by the mobile app: a QR code and links',
    description: 'Anyone but systems. Only the browser that began a login, known by a cookie, can end it.',
    request: Type.Object({}),
    answer: BegunPhoneLogin,
    refuses: ['alreadyAuthenticatedWithTls', 'qrTooMany'],
  })
  static readonly inject = {
    begin: BeginProcedure,
    organizations: AskingOrganizations,
    logins: Logins,
    site: Site,
    limits: ProcedureLimits,
  }

  constructor(private readonly use: Injected<typeof BeginPhoneLogin.inject>) {}

  async execute(
    caller: Caller,
    _input: Input<typeof BeginPhoneLogin.operation>,
    visit: PhoneLoginVisit = nobody,
  ): Promise<Answer<typeof BeginPhoneLogin.operation>> {
    if (visit.isMutualTls || caller.kind === 'system') throw authErrors.error('alreadyAuthenticatedWithTls')
    const confirmationCode = String(randomInt(10_000)).padStart(4, '0')
    const description = `${this.use.site.name}: вход / кіру / log in · ${confirmationCode} · ${visit.ip}`
    const asking = await this.use.organizations.of(anonymous)
    const details = { nonce: await this.use.logins.nonce() }
    const asked = { kind: 'login', life: this.use.limits.rawProcedureMs, description, asking, details } as const
    const { procedure, callerSecret, links: shown } = await this.use.begin.begin(caller, asked)
    visit.remember(callerSecret, procedure.expireAt)
    return { loginId: procedure.id, confirmationCode, ...shown }
  }
}

/** Answers the state of a login to the browser that began it (not in the specification). */
export class GetPhoneLogin {
  static readonly operation = operation({
    id: 'getPhoneLogin',
    group: 'authentication',
    at: 'GET /auth/govQr/:loginId',
    who: told('the browser that began it'),
    summary: 'How a login by the mobile app stands: JSON at once, or every change as text/event-stream',
    description: 'The browser that began it, by its cookie.',
    params: LoginParams,
    answer: ProcedureState,
    alsoAnswers: ['text/event-stream'],
    refuses: ['qrNotActive'],
  })
  static readonly inject = { find: FindProcedure }

  constructor(private readonly use: Injected<typeof GetPhoneLogin.inject>) {}

  async execute(
    _caller: Caller,
    { loginId }: Input<typeof GetPhoneLogin.operation>,
    visit: PhoneLoginVisit = nobody,
  ): Promise<ProcedureState> {
    return stateOf(await ownLogin(this.use.find, loginId, visit))
  }
}

/** Begins the browser's session once its user has signed (not in the specification). */
export class FinishPhoneLogin {
  static readonly operation = operation({
    id: 'finishPhoneLogin',
    group: 'authentication',
    at: 'POST /auth/govQr/:loginId',
    who: told('the browser that began it'),
    summary: 'Log in as who has signed in the mobile app',
    description: 'The browser that began it, by its cookie, once its status is `done`; once.',
    params: LoginParams,
    request: Type.Object({}),
    answer: AuthenticationResult,
    refuses: ['qrInvalidState', 'qrNotActive'],
  })
  static readonly inject = { find: FindProcedure, procedures: ProcedureStore, logins: Logins }

  constructor(private readonly use: Injected<typeof FinishPhoneLogin.inject>) {}

  async execute(
    _caller: Caller,
    { loginId }: Input<typeof FinishPhoneLogin.operation>,
    visit: PhoneLoginVisit = nobody,
  ): Promise<AuthenticationResult> {
    const procedure = await ownLogin(this.use.find, loginId, visit)
    const { status } = procedure
    const proved = status === 'done' ? await this.use.procedures.takeLogin(procedure) : undefined
    if (proved === undefined) throw procedureErrors.error('qrInvalidState', { status })
    await visit.begin(await this.use.logins.begin(proved, visit.ip))
    return proved.result
  }
}

/** Rejects with `qrNotActive` for any browser but the one that began the login. */
async function ownLogin(find: FindProcedure, loginId: string, { secret = '' }: PhoneLoginVisit): Promise<Procedure> {
  const procedure = await find.bySecret('callerKey', secret, ['login'])
  if (procedure.id !== loginId) throw procedureErrors.error('qrNotActive')
  return procedure
}

/** A call from inside the process, without a browser. */
const nobody: PhoneLoginVisit = {
  ip: '',
  isMutualTls: false,
  remember: () => undefined,
  begin: async () => undefined,
}
