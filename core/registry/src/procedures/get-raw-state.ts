import type { Caller } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { FindProcedure } from './find-procedure.js'
import { whoBegan } from './guards.js'
import type { Procedure } from './procedure-store.js'
import { ProcedureState } from './schema.js'
import { RawParams } from './send-raw-data.js'

/** The public state of a procedure. */
export const stateOf = ({ status, createdAt, expireAt }: Procedure): ProcedureState => ({ status, createdAt, expireAt })

/** Answers the state of a raw procedure at once, for clients behind proxies that cut long polls (not in the specification). */
export class GetRawState {
  static readonly operation = operation({
    id: 'getRawState',
    group: 'phone',
    at: 'GET /govQr/:qrId/state',
    who: whoBegan,
    openToOrigins: true,
    summary: 'How a raw procedure stands: JSON at once, or every change for who accepts text/event-stream',
    description: 'Who accepts `text/event-stream` is told every change until the end.',
    params: RawParams,
    answer: ProcedureState,
    alsoAnswers: ['text/event-stream'],
    refuses: ['qrNotActive'],
  })
  static readonly inject = { find: FindProcedure }

  constructor(private readonly use: Injected<typeof GetRawState.inject>) {}

  /** The secret in the path authenticates the caller. */
  async execute(_caller: Caller, { qrId }: Input<typeof GetRawState.operation>): Promise<ProcedureState> {
    return stateOf(await this.use.find.bySecret('callerKey', qrId, ['raw']))
  }
}
