import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import type { BodyStream } from '../kernel/upload.js'
import { ProcedureBodies } from './bodies.js'
import { procedureErrors } from './errors.js'
import type { AppDocuments, Exchange, HeldConnection } from './exchange.js'
import { FindProcedure } from './find-procedure.js'
import { HeldCalls } from './held-calls.js'
import { ProcedureLimits } from './limits.js'
import { MoveProcedure } from './move-procedure.js'
import { isOpen, OPEN, type Procedure } from './procedure-store.js'

/** Passes the caller's bytes to the app and the app's to the caller, without looking at them. */
export class RawExchange implements Exchange {
  static readonly inject = {
    find: FindProcedure,
    moves: MoveProcedure,
    held: HeldCalls,
    bodies: ProcedureBodies,
    clock: Clock,
    limits: ProcedureLimits,
  }

  constructor(private readonly use: Injected<typeof RawExchange.inject>) {}

  /** Waits for the caller's data; an app that asks again gets the same bytes. */
  async documents(begun: Procedure, connection: HeldConnection): Promise<AppDocuments> {
    const deadline = Math.min(this.use.clock.now() + this.use.limits.appWaitMs, begun.expireAt)
    const call = await this.use.held.begin(begun.id, 'watch')
    try {
      for (;;) {
        const procedure = await this.use.find.again(begun)
        const { status, dataBody } = procedure
        if (!isOpen(status)) throw procedureErrors.error('qrInvalidState', { status })
        const body = dataBody === undefined ? undefined : await this.use.bodies.open(dataBody)
        if (body !== undefined) return { type: body.type ?? 'application/json', size: body.size, bytes: body.bytes }
        const left = deadline - this.use.clock.now()
        if (left <= 0) throw procedureErrors.error('qrNotActive', { reason: 'noData' })
        if (procedure.wantedUntil < deadline) await this.use.moves.move(procedure, OPEN, { wantedUntil: deadline })
        await call.next(left, connection.signal)
      }
    } finally {
      await call.end()
    }
  }

  async take(procedure: Procedure, body: BodyStream): Promise<void> {
    if (procedure.status !== 'data') throw procedureErrors.error('qrInvalidState', { status: procedure.status })
    const resultBody = await this.use.bodies.keep(procedure, 'result', body, this.use.limits.procedureBytes)
    if (await this.use.moves.move(procedure, ['data'], { status: 'done', resultBody })) return
    await this.use.bodies.drop([resultBody])
    throw procedureErrors.error('qrInvalidState')
  }
}
