import Type from 'typebox'
import type { Caller } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { FindProcedure } from './find-procedure.js'
import { whoBegan } from './guards.js'
import { MoveProcedure } from './move-procedure.js'
import { OPEN } from './procedure-store.js'
import { RawParams } from './send-raw-data.js'

/** Cancels a raw procedure, which invalidates its code and links (not in the specification). */
export class CancelRawProcedure {
  static readonly operation = operation({
    id: 'cancelRawProcedure',
    group: 'phone',
    at: 'DELETE /govQr/:qrId',
    who: whoBegan,
    openToOrigins: true,
    summary: 'Cancel a raw procedure',
    description: 'The code and the links are worth nothing afterwards.',
    params: RawParams,
    answer: Type.Object({}),
    refuses: ['qrInvalidState', 'qrNotActive'],
  })
  static readonly inject = { find: FindProcedure, moves: MoveProcedure }

  constructor(private readonly use: Injected<typeof CancelRawProcedure.inject>) {}

  /** The secret in the path authenticates the caller. */
  async execute(_caller: Caller, { qrId }: Input<typeof CancelRawProcedure.operation>): Promise<object> {
    const procedure = await this.use.find.bySecret('callerKey', qrId, ['raw'])
    await this.use.moves.mustMove(procedure, OPEN, { status: 'canceled' })
    return {}
  }
}
