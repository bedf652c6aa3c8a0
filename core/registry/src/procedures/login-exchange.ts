import { Logins } from '../auth/index.js'
import { RegistryError } from '../kernel/error.js'
import type { Injected } from '../kernel/service.js'
import { Site } from '../kernel/site.js'
import type { BodyStream } from '../kernel/upload.js'
import { procedureErrors } from './errors.js'
import type { AppDocuments, Exchange } from './exchange.js'
import { givenDocuments } from './given-documents.js'
import { saysNothing } from './later.js'
import { MoveProcedure } from './move-procedure.js'
import { OPEN, type Procedure } from './procedure-store.js'
import { type Outcome, readReturned } from './returned-documents.js'

const DOCUMENT = 'login'
const MAX_RETURNED = 2 ** 20

/** Gives a nonce to the app, and stores who signed it for the browser that began the login. */
export class LoginExchange implements Exchange {
  static readonly inject = { logins: Logins, moves: MoveProcedure, site: Site }

  constructor(private readonly use: Injected<typeof LoginExchange.inject>) {}

  async documents(procedure: Procedure): Promise<AppDocuments> {
    const nonce = Buffer.from(procedure.details.nonce ?? '', 'base64')
    async function* bytes() {
      yield nonce
    }
    return givenDocuments([{ id: DOCUMENT, title: this.use.site.name, meta: [], bytes }])
  }

  async take(procedure: Procedure, body: BodyStream): Promise<void> {
    const { status, details } = procedure
    if (status !== 'data') throw procedureErrors.error('qrInvalidState', { status })
    const returned = await this.read(procedure, body)
    try {
      if (returned.canceled) return await this.use.moves.mustMove(procedure, OPEN, { status: 'canceled' })
      const [signature = ''] = returned.signatures
      const login = await this.use.logins.prove({ nonce: details.nonce ?? '', signature })
      if (procedure.signer !== undefined && login.result.userId !== procedure.signer)
        throw procedureErrors.error('otherSigner')
      await this.use.moves.mustMove(procedure, ['data'], { status: 'done', login })
    } catch (error) {
      // The nonce is used up, so the procedure has failed.
      if (error instanceof RegistryError && error.code !== 'qrInvalidState')
        await this.use.moves.fail(procedure, { service: error.message })
      throw error
    }
  }

  /** After a temporary error the app may try again, since the nonce is not used up. */
  private async read(procedure: Procedure, body: BodyStream): Promise<Outcome> {
    try {
      return await readReturned(body, [DOCUMENT], MAX_RETURNED)
    } catch (error) {
      if (error instanceof RegistryError && !saysNothing(error))
        await this.use.moves.fail(procedure, { service: error.message })
      throw error
    }
  }
}
