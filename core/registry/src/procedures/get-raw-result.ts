import Type from 'typebox'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { type KeptBody, ProcedureBodies } from './bodies.js'
import { procedureErrors } from './errors.js'
import { type HeldConnection, unbroken } from './exchange.js'
import { FindProcedure } from './find-procedure.js'
import { whoBegan } from './guards.js'
import { HeldCalls } from './held-calls.js'
import { isOpen } from './procedure-store.js'
import { signingData } from './schema.js'
import { RawParams } from './send-raw-data.js'

/** Answer of `GET /api/govQr/{qrId}`: the bytes that the app returned. */
export const RawResult = Type.Unsafe<KeptBody>(
  Type.Object(
    {
      ...signingData,
      status: Type.Optional(Type.String({ description: 'CANCELED: these are the originals of a user who refused' })),
    },
    { $id: 'RawResult', description: 'what the app returned, unchanged; usually this' },
  ),
)

/** Waits for the app's result, which can be fetched again until the procedure expires (specification, `GET /api/govQr/{qrId}`). */
export class GetRawResult {
  static readonly operation = operation({
    id: 'getRawResult',
    group: 'phone',
    at: 'GET /govQr/:qrId',
    aliases: [{ at: 'GET /egovQr/:qrId' }],
    who: whoBegan,
    openToOrigins: true,
    summary: 'Wait for what the app returns; held until then. Use signURL as given',
    description:
      'The result can be fetched again until the procedure expires. Originals with `status` `CANCELED` mean that the user refused.',
    params: RawParams,
    answer: RawResult,
    alsoAnswers: ['application/octet-stream'],
    refuses: ['qrInvalidState', 'qrNotActive', 'qrOtherEndpoint', 'qrTimeout'],
  })
  static readonly inject = { find: FindProcedure, held: HeldCalls, bodies: ProcedureBodies, clock: Clock }

  constructor(private readonly use: Injected<typeof GetRawResult.inject>) {}

  /** The secret in the path authenticates the caller. */
  async execute(
    _caller: Caller,
    { qrId }: Input<typeof GetRawResult.operation>,
    connection: HeldConnection = unbroken,
  ): Promise<KeptBody> {
    const begun = await this.use.find.bySecret('callerKey', qrId, ['raw'])
    const call = await this.use.held.begin(begun.id, 'result')
    try {
      for (;;) {
        const { status, resultBody, expireAt } = await this.use.find.again(begun)
        const now = this.use.clock.now()
        const result = resultBody === undefined ? undefined : await this.use.bodies.open(resultBody)
        if (result !== undefined) return result
        if (!isOpen(status)) throw procedureErrors.error(expireAt <= now ? 'qrTimeout' : 'qrInvalidState', { status })
        if (!(await call.next(expireAt - now, connection.signal))) throw procedureErrors.error('qrOtherEndpoint')
      }
    } finally {
      await call.end()
    }
  }
}
