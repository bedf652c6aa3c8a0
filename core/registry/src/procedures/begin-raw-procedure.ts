import Type, { type Static } from 'typebox'
import { anyone, type Caller, organizationOf } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { Site } from '../kernel/site.js'
import { AskingOrganizations, strangersWords } from './asking-organization.js'
import { BeginProcedure } from './begin-procedure.js'
import { inProcess, type Origin } from './exchange.js'
import { ProcedureLimits } from './limits.js'
import { callerAddresses } from './links.js'
import { AuthType, BegunRawProcedure, ShownDescription, WhenDone } from './schema.js'

/** Request of `POST /api/govQr`. */
export const BeginRawProcedureRequest = Type.Object(
  {
    description: ShownDescription,
    whenDone: Type.Optional(WhenDone),
    authType: Type.Optional(AuthType),
  },
  { $id: 'BeginRawProcedureRequest' },
)
export type BeginRawProcedureRequest = Static<typeof BeginRawProcedureRequest>

/** Begins a procedure that passes data to the app and back unchanged (specification, `POST /api/govQr`). */
export class BeginRawProcedure {
  static readonly operation = operation({
    id: 'beginRawProcedure',
    group: 'phone',
    at: 'POST /govQr',
    aliases: [{ at: 'POST /egovQr', filledIn: { description: '' } }],
    who: anyone(),
    openToOrigins: true,
    summary: 'Begin a raw procedure: a QR code and links for the app, addresses for the data and the result',
    description:
      'What is sent to `dataURL` reaches the application unchanged, and what it returns comes from `signURL` unchanged; nothing is registered.',
    request: BeginRawProcedureRequest,
    answer: BegunRawProcedure,
    refuses: ['featureNotAvailable', 'qrTooMany'],
  })
  static readonly inject = {
    begin: BeginProcedure,
    organizations: AskingOrganizations,
    site: Site,
    limits: ProcedureLimits,
  }

  constructor(private readonly use: Injected<typeof BeginRawProcedure.inject>) {}

  async execute(
    caller: Caller,
    { request }: Input<typeof BeginRawProcedure.operation>,
    origin: Origin = inProcess,
  ): Promise<BegunRawProcedure> {
    const { description: said, whenDone: { backUrl } = {}, authType } = request
    this.use.begin.check({ description: said, ...(backUrl !== undefined && { backUrl }) })
    const asking = await this.use.organizations.ofData(caller)
    const description = organizationOf(caller) === undefined ? strangersWords(said) : said
    const life = this.use.limits.rawProcedureMs
    const asked = { kind: 'raw', life, description, backUrl, authType, asking } as const
    const { links, callerSecret } = await this.use.begin.begin(caller, asked)
    const { plain, mutual, auto } = callerAddresses(this.use.site, callerSecret, origin.isMutualTls)
    return {
      ...links,
      ...{ dataURL: plain, dataURLmTLS: mutual, dataURLAuto: auto },
      ...{ signURL: plain, signURLmTLS: mutual, signURLAuto: auto },
      stateURL: `${auto}/state`,
    }
  }
}
