import { createHash } from 'node:crypto'
import { Database } from '../database/database.js'
import { type Caller, ownerOf } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { procedureErrors } from './errors.js'
import { ProcedureLimits } from './limits.js'
import { newPhone, type Phone } from './links.js'
import { MoveProcedure } from './move-procedure.js'
import { type AdmittedPhone, PhoneStore } from './phone-store.js'
import { isOpen, keyOf, type Procedure, ProcedureStore } from './procedure-store.js'

/** What a request to API 1 reveals about the phone. */
export interface PhoneRequest {
  /** The raw `User-Agent` header. */
  readonly userAgent?: string | undefined
}

/** Answers of API 1 for one procedure, since answers may get lost. */
const MAX_ANSWERS = 5

/**
 * Ensures that a code or a link is used once (specification, "Limits"): the first phone that follows it is admitted, and of
 * the admitted ones the first that fetches the documents gets the procedure.
 */
export class Phones {
  static readonly inject = {
    procedures: ProcedureStore,
    phones: PhoneStore,
    moves: MoveProcedure,
    database: Database,
    clock: Clock,
    limits: ProcedureLimits,
  }

  constructor(private readonly use: Injected<typeof Phones.inject>) {}

  /**
   * Admits a phone that follows a code. Rejects with `qrTaken` where another one did. Since answers get lost, the same origin
   * may ask again until the documents are fetched, and is then treated as the first.
   */
  async admit({ id }: Procedure, caller: Caller, { userAgent = '' }: PhoneRequest): Promise<Phone> {
    const phone = newPhone()
    const origin = createHash('sha256')
      .update(`${id}\n${ownerOf(caller)}\n${userAgent}`)
      .digest()
    const admittedAt = this.use.clock.now()
    await this.use.database.transaction(async () => {
      const procedure = await this.use.procedures.lock(id)
      if (procedure === undefined) throw procedureErrors.error('qrNotActive')
      const { status, phoneKey } = procedure
      const before = await this.use.phones.of(id)
      if (phoneKey !== undefined || !this.mayAsk(before, origin, admittedAt))
        throw procedureErrors.error('qrTaken', { status })
      if (!isOpen(status)) throw procedureErrors.error('qrInvalidState', { status })
      await this.use.phones.add({ key: keyOf(phone.secret), procedureId: id, origin, admittedAt })
      if (status === 'new') await this.use.moves.move(procedure, ['new'], { status: 'meta' })
    })
    return phone
  }

  /** Rejects with `qrTaken` where another phone than the one with this secret has the procedure. */
  assertNotTaken({ phoneKey, status }: Procedure, secret: string): void {
    if (phoneKey !== undefined && !isSame(phoneKey, keyOf(secret))) throw procedureErrors.error('qrTaken', { status })
  }

  /** Gives a procedure to the phone with this secret, and keeps what it proved of its user. Rejects as `assertNotTaken`. */
  async take({ id, phoneKey }: Procedure, secret: string, signer?: string): Promise<void> {
    const key = keyOf(secret)
    if (signer === undefined && phoneKey !== undefined && isSame(phoneKey, key)) return
    // In a transaction, which is repeated after a conflict with another node.
    if (await this.use.database.transaction(() => this.use.procedures.giveTo(id, key, signer))) return
    const procedure = await this.use.procedures.find(id)
    if (procedure !== undefined) this.assertNotTaken(procedure, secret)
    if (signer !== undefined && procedure?.signer !== undefined && procedure.signer !== signer)
      throw procedureErrors.error('appNotAuthorized', { reason: 'otherSigner' })
    throw procedureErrors.error('qrInvalidState', procedure && { status: procedure.status })
  }

  private mayAsk(before: readonly AdmittedPhone[], origin: Uint8Array, now: number): boolean {
    const [first] = before
    if (first === undefined) return true
    const isAgain = isSame(first.origin, origin) && Math.abs(now - first.admittedAt) <= this.use.limits.appAgainMs
    return isAgain && before.length < MAX_ANSWERS
  }
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0
