import Type from 'typebox'
import { NonceGuard } from '../auth/index.js'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { Site } from '../kernel/site.js'
import type { BodyStream } from '../kernel/upload.js'
import { ProcedureBodies } from './bodies.js'
import { procedureErrors } from './errors.js'
import { type HeldConnection, inProcess, type Origin, unbroken } from './exchange.js'
import { FindProcedure } from './find-procedure.js'
import { whoBegan } from './guards.js'
import { HeldCalls } from './held-calls.js'
import { ProcedureLimits } from './limits.js'
import { callerAddresses } from './links.js'
import { MoveProcedure } from './move-procedure.js'
import { isOpen, type Procedure } from './procedure-store.js'
import { TakenData } from './schema.js'

export const RawParams = Type.Object({ qrId: Type.String({ description: 'the last part of dataURL and signURL' }) })

/** Sends the data of a raw procedure; it is read when the app fetches it (specification, `POST /api/govQr/{qrId}`). */
export class SendRawData {
  static readonly operation = operation({
    id: 'sendRawData',
    group: 'phone',
    at: 'POST /govQr/:qrId',
    aliases: [{ at: 'POST /egovQr/:qrId' }],
    who: whoBegan,
    openToOrigins: true,
    summary: 'Bring what is to be signed; held until the app comes. Use dataURL as given',
    description:
      'The body may be anything of up to 100 MiB, except what would log in; of several requests the last one is answered. Repeat one that got no answer.',
    params: RawParams,
    stream: true,
    answer: TakenData,
    refuses: ['nonceToSign', 'qrInvalidState', 'qrNotActive', 'qrOtherEndpoint', 'shareTaken'],
  })
  static readonly inject = {
    find: FindProcedure,
    moves: MoveProcedure,
    held: HeldCalls,
    bodies: ProcedureBodies,
    nonces: NonceGuard,
    site: Site,
    clock: Clock,
    limits: ProcedureLimits,
  }

  constructor(private readonly use: Injected<typeof SendRawData.inject>) {}

  /** The secret in the path authenticates the caller. */
  async execute(
    _caller: Caller,
    { qrId, body }: Input<typeof SendRawData.operation>,
    connection: HeldConnection = unbroken,
    origin: Origin = inProcess,
  ): Promise<TakenData> {
    const procedure = await this.use.find.bySecret('callerKey', qrId, ['raw'])
    await this.deliver(procedure, body, connection)
    const { plain, mutual, auto } = callerAddresses(this.use.site, qrId, origin.isMutualTls)
    return { expireAt: procedure.expireAt, signURL: plain, signURLmTLS: mutual, signURLAuto: auto }
  }

  /** Resolves once the app has the data, possibly from an earlier request whose answer got lost. */
  private async deliver(begun: Procedure, body: BodyStream, connection: HeldConnection): Promise<void> {
    if (isWithApp(begun)) return
    const call = await this.use.held.begin(begun.id, 'data')
    let isTaken = false
    try {
      for (;;) {
        const procedure = await this.use.find.again(begun)
        const { status, wantedUntil, expireAt } = procedure
        const now = this.use.clock.now()
        if (isWithApp(procedure)) return
        if (!isOpen(status)) throw procedureErrors.error(expireAt <= now ? 'qrTimeout' : 'qrInvalidState', { status })
        if (wantedUntil > now && !isTaken) {
          connection.reading()
          await this.take(procedure, body)
          isTaken = true
          continue
        }
        if (!(await call.next(expireAt - now, connection.signal))) throw procedureErrors.error('qrOtherEndpoint')
      }
    } finally {
      await call.end()
    }
  }

  private async take(procedure: Procedure, body: BodyStream): Promise<void> {
    const watched = { ...body, stream: this.use.nonces.watchData(body.stream) }
    const dataBody = await this.use.bodies.keep(procedure, 'data', watched, this.use.limits.procedureBytes)
    const isKept = await this.use.moves.move(procedure, ['new', 'meta'], { dataBody })
    const { dataBody: before } = procedure
    if (!isKept) await this.use.bodies.drop([dataBody])
    else if (before !== undefined) await this.use.bodies.drop([before])
  }
}

/** True when the app has the data, directly or through a relay. */
const isWithApp = ({ dataBody, channel, status }: Procedure): boolean =>
  dataBody !== undefined && (channel === undefined || !WAITING.some((one) => one === status))
const WAITING = ['new', 'meta'] as const
