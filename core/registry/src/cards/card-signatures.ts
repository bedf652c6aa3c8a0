import { SignatureStore } from '../documents/index.js'
import type { Injected } from '../kernel/service.js'
import { exportCms, type Signature } from '../signatures/index.js'
import { cardErrors } from './errors.js'
import { CardLimits } from './limits.js'
import type { CardSignature } from './ports.js'

const PAGE = 50

/** The signatures of a document as a card shows and contains them. */
export class CardSignatures {
  static readonly inject = { signatures: SignatureStore, limits: CardLimits }

  constructor(private readonly use: Injected<typeof CardSignatures.inject>) {}

  /** In the order of their time stamps: all, or those up to `last`. Each must be CMS. */
  async of(documentId: string, last = Number.MAX_SAFE_INTEGER): Promise<CardSignature[]> {
    const { cardSignatures } = this.use.limits
    const found: CardSignature[] = []
    for (let lastSignId = 0; lastSignId < last; ) {
      const page = await this.use.signatures.pageWithEvidence(documentId, lastSignId, PAGE)
      for (const stored of page.filter(({ signId }) => signId <= last)) {
        const { signId, storedAt, facts, coverage } = stored
        if (coverage !== undefined) throw cardErrors.error('signaturesNotOverDocument', { signId })
        if (facts.signType !== 'cms') throw cardErrors.error('signaturesInOtherFormat', { signId })
        if (found.length === cardSignatures)
          throw cardErrors.error('cardNotBuilt', { reason: 'tooManySignatures', limit: cardSignatures })
        const cms = exportCms(stored.signature, await this.use.signatures.evidence(stored))
        found.push({ signature: { ...facts, storedAt, signId }, cms })
      }
      if (page.length < PAGE) break
      lastSignId = page.at(-1)?.signId ?? last
    }
    if (found.length === 0) throw cardErrors.error('noSignaturesInFormat')
    return found.sort(
      (a, b) => momentOf(a.signature) - momentOf(b.signature) || a.signature.signId - b.signature.signId,
    )
  }

  /** When the first signature after `last` was registered, if there is one. */
  async nextAt(documentId: string, last: number): Promise<number | undefined> {
    const [next] = await this.use.signatures.page(documentId, last, 1)
    return next?.storedAt
  }
}

const momentOf = ({ tsp, storedAt }: Signature): number => tsp?.timeStamp ?? storedAt
