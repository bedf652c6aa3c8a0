import { SignatureStore, type Signer, SignerStore } from '../documents/index.js'
import type { Injected } from '../kernel/service.js'
import { organizationName, personName } from '../parties/index.js'
import type { Signature } from '../signatures/index.js'
import type { ThreadStep } from './thread-schema.js'

/** Signers whom a thread shows. */
const SIGNERS = 100

/** Somebody who signed, and what of the documents that are shown. */
export interface ThreadSigner extends Omit<Signer, 'documentId'> {
  readonly documentsIds: readonly string[]
  /** As the certificate says; empty where it does not. */
  readonly personName: string
  readonly organizationName: string
}

/** A signature whose certificate was read. */
export type KnownSignature = Pick<Signature, 'signId' | 'subjectStructure'>

/** Reads who signed documents. */
export class ThreadSigners {
  static readonly inject = { signatures: SignatureStore, signers: SignerStore }

  constructor(private readonly use: Injected<typeof ThreadSigners.inject>) {}

  /**
   * The newest last; signatures under several documents are one signer each. `isShortened` where there may be more. What
   * signatures at hand say is not read again.
   */
  async of(
    documentIds: readonly string[],
    atHand: readonly KnownSignature[] = [],
  ): Promise<{ readonly signers: readonly ThreadSigner[]; readonly isShortened: boolean }> {
    const limit = SIGNERS * documentIds.length
    const newest = documentIds.length === 0 ? [] : await this.use.signers.newest(documentIds, limit)
    const grouped = new Map<string, { last: Signer; documentsIds: string[] }>()
    for (const one of newest) {
      const key = documentIds.length === 1 ? `${one.signId}` : `${one.userId} ${one.businessId}`
      const group = grouped.get(key) ?? { last: one, documentsIds: [] }
      if (!group.documentsIds.includes(one.documentId)) group.documentsIds.push(one.documentId)
      grouped.set(key, group)
    }
    const shown = [...grouped.values()].slice(0, SIGNERS).reverse()
    const subjects = new Map(atHand.map(({ signId, subjectStructure }) => [signId, subjectStructure]))
    const unread = shown.map(({ last }) => last.signId).filter((signId) => !subjects.has(signId))
    for (const [signId, { facts }] of await this.use.signatures.summaries(unread))
      subjects.set(signId, facts.subjectStructure)
    const signers = shown.map(({ last: { documentId: _, ...last }, documentsIds }): ThreadSigner => {
      const subject = subjects.get(last.signId) ?? []
      return { ...last, documentsIds, personName: personName(subject), organizationName: organizationName(subject) }
    })
    return { signers, isShortened: newest.length === limit || grouped.size > SIGNERS }
  }
}

/** The step of a signer; the documents are named where there are others that they did not sign. */
export function signerStep(signer: ThreadSigner, { isPackage, documents }: { isPackage: boolean; documents: number }) {
  const { storedAt: at, userId, businessId, signId, personName, organizationName, documentsIds } = signer
  const person = { ...(personName !== '' && { name: personName }) }
  const organization = {
    ...(organizationName !== '' && { name: organizationName }),
    by: userId,
    ...(personName !== '' && { byName: personName }),
  }
  return {
    at,
    kind: 'signed',
    party: businessId ?? userId,
    ...(businessId === undefined ? person : organization),
    ...(isPackage ? documentsIds.length < documents && { documentsIds: [...documentsIds] } : { signId }),
  } satisfies ThreadStep
}
