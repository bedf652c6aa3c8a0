import { assertInTime, type DocumentRecord } from '../documents/index.js'
import { type Caller, organizationOf, ownerOf } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { checkCount, checkLength } from '../kernel/field-length.js'
import { newId, newLinkSecret } from '../kernel/ids.js'
import { Limits } from '../kernel/limits.js'
import { requestErrors } from '../kernel/request-errors.js'
import type { Injected } from '../kernel/service.js'
import { Site } from '../kernel/site.js'
import { Subscriptions } from '../organizations/index.js'
import type { Asking } from './asking-organization.js'
import type { BodyOf } from './bodies.js'
import { ProcedureLimits } from './limits.js'
import { appAddress } from './links.js'
import { MobileApp } from './mobile-app.js'
import { ProcedureRoom } from './procedure-room.js'
import { keyOf, type Procedure, type ProcedureDetails, type ProcedureKind, ProcedureStore } from './procedure-store.js'
import { Relays } from './relays.js'
import type { AuthType, Meta } from './schema.js'

/** What a caller asks the app for. */
export interface NewProcedure {
  readonly kind: ProcedureKind
  readonly documentId?: string
  readonly packageId?: string
  /** Milliseconds until it expires. */
  readonly life: number
  readonly description?: string | undefined
  readonly backUrl?: string | undefined
  readonly authType?: AuthType | undefined
  readonly asking: Asking
  readonly details?: Partial<ProcedureDetails>
  /** Stores data of the procedure before it is visible. */
  readonly prepare?: (procedure: BodyOf) => Promise<void>
}

/** A procedure that has begun, and how the app gets to it. */
export interface Begun {
  readonly procedure: Procedure
  /** Secret of the caller who began it. */
  readonly callerSecret: string
  readonly links: {
    readonly expireAt: number
    readonly qrCode: string
    readonly govMobileLaunchLink: string
    readonly govBusinessLaunchLink: string
    readonly eGovMobileLaunchLink: string
    readonly eGovBusinessLaunchLink: string
  }
}

const MAX_BACK_URL = 2048
/** Schemes that a browser would execute instead of opening. */
const SCRIPT = /^\s*(javascript|data|vbscript|file|blob):/i
const SCHEME = /^[a-z][a-z0-9+.-]*:/i

/** Begins procedures of every kind: checks limits, makes secrets, QR code and links. */
export class BeginProcedure {
  static readonly inject = {
    procedures: ProcedureStore,
    room: ProcedureRoom,
    app: MobileApp,
    relays: Relays,
    features: Subscriptions,
    site: Site,
    clock: Clock,
    fields: Limits,
    limits: ProcedureLimits,
  }

  constructor(private readonly use: Injected<typeof BeginProcedure.inject>) {}

  /** Refuses what the app cannot show, and what nobody may sign any more, before anything is stored. */
  check({
    description = '',
    backUrl,
    meta = {},
    documents = [],
  }: {
    description?: string
    backUrl?: string
    /** Lists of lines by their field names in the request. */
    meta?: Readonly<Record<string, readonly Meta[]>>
    documents?: readonly DocumentRecord[]
  }) {
    for (const { settings } of documents) assertInTime(settings, this.use.clock.now())
    checkLength('description', description, this.use.fields.description)
    const { metaLines, metaName, metaValue } = this.use.limits
    for (const [field, lines] of Object.entries(meta)) {
      checkCount(field, lines, metaLines)
      for (const [at, { name, value }] of lines.entries()) {
        checkLength(`${field}[${at}].name`, name, metaName)
        checkLength(`${field}[${at}].value`, value, metaValue)
      }
    }
    if (backUrl === undefined) return
    checkLength('whenDone.backUrl', backUrl, MAX_BACK_URL)
    if (SCHEME.test(backUrl) && !SCRIPT.test(backUrl) && URL.canParse(backUrl)) return
    throw requestErrors.error('invalidJsonStructure', {
      part: 'body',
      path: '/whenDone/backUrl',
      problem: 'no address',
    })
  }

  /** Rejects with `qrTooMany` while too many procedures are open. */
  async begin(caller: Caller, asked: NewProcedure): Promise<Begun> {
    const now = this.use.clock.now()
    const by = ownerOf(caller)
    await this.use.features.assertEnabled(organizationOf(caller), 'governmentMobileSigning')
    await this.use.room.make(by, asked.kind)
    const [id, appSecret, callerSecret] = [newId(), newLinkSecret(), newLinkSecret()]
    const { kind, documentId, packageId, description = '', backUrl, authType = 'Token', asking, details = {} } = asked
    const announced = await this.use.app.announce({
      ...{ id, description, backUrl, authType, logo: asking.logo, expireAt: now + asked.life },
      address: appAddress(this.use.site, appSecret),
    })
    const businessId = organizationOf(caller)
    const expireAt = Math.min(now + asked.life, announced.expireAt ?? Number.POSITIVE_INFINITY)
    const procedure: Procedure = {
      ...{ id, kind, documentId, packageId, status: 'new', version: 1, begunBy: by, createdAt: now, expireAt },
      ...{ appKey: keyOf(appSecret), callerKey: keyOf(callerSecret), channel: announced.channel },
      // A relay cannot tell when the app comes, and wants the data at once.
      wantedUntil: announced.channel === undefined ? 0 : expireAt,
      details: {
        ...{ description, organisation: asking.organisation, authType },
        ...(backUrl !== undefined && { backUrl }),
        ...(businessId !== undefined && { businessId }),
        ...details,
      },
      ...NOTHING_YET,
    }
    await asked.prepare?.(procedure)
    await this.use.procedures.add(procedure)
    if (announced.channel !== undefined) this.use.relays.follow(id)
    const { govMobileLaunchLink, govBusinessLaunchLink } = announced
    return {
      procedure,
      callerSecret,
      links: {
        expireAt: procedure.expireAt,
        qrCode: Buffer.from(announced.qrCode).toString('base64'),
        ...{ govMobileLaunchLink, govBusinessLaunchLink },
        eGovMobileLaunchLink: govMobileLaunchLink,
        eGovBusinessLaunchLink: govBusinessLaunchLink,
      },
    }
  }
}

const NOTHING_YET = {
  phoneKey: undefined,
  dataBody: undefined,
  resultBody: undefined,
  signIds: undefined,
  errors: undefined,
  signer: undefined,
  claimedUntil: undefined,
  login: undefined,
}

const IIN = /^IIN\d{12}$/

/** Who is to sign: the requested person and nobody else; without one, the record names the person who began. */
export function signerDetails(caller: Caller, asked: string | undefined): { userId?: string; signer?: string } {
  if (asked === undefined) return caller.kind === 'person' || caller.kind === 'employee' ? { userId: caller.iin } : {}
  if (IIN.test(asked)) return { userId: asked, signer: asked }
  throw requestErrors.error('invalidJsonStructure', {
    part: 'body',
    path: '/userId',
    problem: 'is not IIN and 12 digits',
  })
}
