import { AddSignature } from '../documents/index.js'
import { anonymous } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import type { BodyStream } from '../kernel/upload.js'
import type { AppDocuments, Exchange } from './exchange.js'
import type { Procedure } from './procedure-store.js'
import { SigningExchange } from './signing-exchange.js'

/** Gives one document to the app, and registers the signature that comes back. */
export class DocumentExchange implements Exchange {
  static readonly inject = { signing: SigningExchange, add: AddSignature }

  constructor(private readonly use: Injected<typeof DocumentExchange.inject>) {}

  documents(procedure: Procedure): Promise<AppDocuments> {
    return this.use.signing.documents(procedure, [idOf(procedure)])
  }

  take(procedure: Procedure, body: BodyStream): Promise<void> {
    const id = idOf(procedure)
    // The request that began the procedure was checked by its schema.
    const asked = procedure.details.signatureEmailNotifications
    return this.use.signing.take(procedure, body, [id], async ([signature = ''], done) => {
      const request = { signature, ...(asked && { signatureEmailNotifications: asked }) }
      const keep = async <A extends object>(answer: A) => {
        await done('signId' in answer ? [Number(answer.signId)] : [])
        return answer
      }
      await this.use.add.execute(anonymous, { id, request, keep }, procedure.begunBy)
    })
  }
}

const idOf = ({ documentId = '' }: Procedure): string => documentId
