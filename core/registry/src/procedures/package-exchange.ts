import { anonymous } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import type { BodyStream } from '../kernel/upload.js'
import { PackageStore, type SignedPackage, SignPackage } from '../packages/index.js'
import type { AppDocuments, Exchange } from './exchange.js'
import type { Procedure } from './procedure-store.js'
import { SigningExchange } from './signing-exchange.js'

/** Gives the documents of a package to the app, and registers the signatures that come back: all of them or none. */
export class PackageExchange implements Exchange {
  static readonly inject = { signing: SigningExchange, packages: PackageStore, sign: SignPackage }

  constructor(private readonly use: Injected<typeof PackageExchange.inject>) {}

  async documents(procedure: Procedure): Promise<AppDocuments> {
    const { documentsIds } = await this.use.packages.get(idOf(procedure))
    return this.use.signing.documents(procedure, documentsIds)
  }

  async take(procedure: Procedure, body: BodyStream): Promise<void> {
    const packageId = idOf(procedure)
    const { documentsIds } = await this.use.packages.get(packageId)
    // The request that began the procedure was checked by its schema.
    const asked = procedure.details.signatureEmailNotifications
    await this.use.signing.take(procedure, body, documentsIds, async (signatures, done) => {
      const request = {
        signatures: signatures.map((signature) => ({ signature })),
        ...(asked && { signatureEmailNotifications: asked }),
      }
      const keep = async <A extends object>(answer: A) => {
        const { registrationResults = [] }: Partial<SignedPackage> = answer
        await done(registrationResults.map(({ signId }) => signId))
        return answer
      }
      await this.use.sign.execute(anonymous, { packageId, request, keep }, procedure.begunBy)
    })
  }
}

const idOf = ({ packageId = '' }: Procedure): string => packageId
