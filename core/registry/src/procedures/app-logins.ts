import { Clock } from '../kernel/clock.js'
import { RegistryError } from '../kernel/error.js'
import type { Injected } from '../kernel/service.js'
import { Site } from '../kernel/site.js'
import {
  authenticationRules,
  signerFacts,
  textNodes,
  VerifyPresentSignature,
  verifyXmlDocument,
} from '../signatures/index.js'
import { procedureErrors } from './errors.js'
import { documentsAddress } from './links.js'
import type { Procedure } from './procedure-store.js'

/** How far the time of a signed login may be in the past, or in the future by a fast clock. */
const MAX_AGE = 5 * 60_000

/** Verifies the signed logins by which the app identifies its user at API 2 (entry `Eds`). */
export class AppLogins {
  static readonly inject = { signatures: VerifyPresentSignature, site: Site, clock: Clock }

  constructor(private readonly use: Injected<typeof AppLogins.inject>) {}

  /**
   * The login is enveloped-signed XML with `url` (this address) and `timeStamp` (now), by the signer that the procedure asks
   * for. Answers their IIN; once that is stored, only they can sign the documents.
   */
  async prove(procedure: Procedure, secret: string, xml: string): Promise<string> {
    const { signature, covers, signedBytes, contents } = refused(() => verifyXmlDocument(xml, { covers: 'element' }))
    if (covers !== 'document' || contents.length !== 1) throw notAuthorized('documentNotSigned')
    const texts = textNodes(signedBytes).filter((text) => text.trim() !== '')
    const [url = '', timeStamp = ''] = texts
    if (texts.length !== 2 || url.trim() !== documentsAddress(this.use.site, secret))
      throw notAuthorized('otherAddress')
    const signedAt = momentOf(timeStamp.trim())
    if (!(Math.abs(this.use.clock.now() - signedAt) <= MAX_AGE)) throw notAuthorized('tooOld')
    const { userId } = refused(() => signerFacts(signature))
    const { signer } = procedure.details
    if (signer !== undefined && signer !== userId) throw notAuthorized('otherSigner')
    if (procedure.signer !== undefined && procedure.signer !== userId) throw notAuthorized('otherSigner')
    await this.use.signatures.verify(signature, authenticationRules).catch((error: unknown) => {
      throw error instanceof RegistryError && error.kind !== 'unavailable'
        ? procedureErrors.error('appNotAuthorized', { reason: 'signature', code: error.code }, error)
        : error
    })
    return userId
  }
}

/** Parses milliseconds or ISO 8601. */
const momentOf = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : Date.parse(text))

const notAuthorized = (reason: string) => procedureErrors.error('appNotAuthorized', { reason })

function refused<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    throw procedureErrors.error('appNotAuthorized', { reason: 'signature', code: error.code }, error)
  }
}
