import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { assertSigned, DocumentStore, documentErrors, KnownDigests } from '../documents/index.js'
import { RegistryError } from '../kernel/error.js'
import type { Injected } from '../kernel/service.js'
import {
  type ReadSignature,
  type SignatureInput,
  SignatureVerifier,
  type VerifiedSignature,
} from '../signatures/index.js'
import { packageErrors } from './errors.js'
import { mapInOrder } from './map-in-order.js'

/** A value for the signature under one document of a package. */
export interface UnderDocument<T> {
  readonly documentId: string
  readonly signature: T
}

/** Pairs the n-th signature with the n-th document. */
export function underDocuments(
  documentsIds: readonly string[],
  signatures: readonly SignatureInput[],
): UnderDocument<SignatureInput>[] {
  if (signatures.length !== documentsIds.length) {
    const counts = { documents: documentsIds.length, signatures: signatures.length }
    throw packageErrors.error('signaturesCountDiffers', counts)
  }
  return signatures.flatMap((signature, index) => {
    const documentId = documentsIds[index]
    return documentId === undefined ? [] : [{ documentId, signature }]
  })
}

/** Runs work on one signature of a batch; a refusal's details name it: `index`, `documentId` and `code`. */
export async function nameFailed<T>(index: number, documentId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof RegistryError ? error.with({ index, documentId, code: error.code }) : error
  }
}

/** Adds `index` and `code` to a refusal that has `documentId` already. */
export function withIndex(error: unknown, documentsIds: readonly string[]): unknown {
  if (!(error instanceof RegistryError)) return error
  const index = documentsIds.indexOf(String(error.details?.documentId))
  return index < 0 ? error : error.with({ index, code: error.code })
}

/** Signatures of one request for which authorities are asked at a time. */
const AT_ONCE = 8

/** Verifies the signatures of a package, each against its document, before anything is stored. */
export class VerifySignatures {
  static readonly inject = { documents: DocumentStore, digests: KnownDigests, verifier: SignatureVerifier }

  constructor(private readonly use: Injected<typeof VerifySignatures.inject>) {}

  /** Rejects with the error of the first invalid signature; see `nameFailed`. */
  async verify(given: readonly UnderDocument<SignatureInput>[]): Promise<UnderDocument<VerifiedSignature>[]> {
    const known = new Set<string>()
    const fixed = await this.use.documents.digestsOfAll(given.map(({ documentId }) => documentId))
    // Everything that can be refused without an authority is refused before one is asked.
    const read = await mapInOrder(given, 1, (one, index) =>
      nameFailed(index, one.documentId, async () => {
        await yieldToOthers()
        const signature = await this.use.verifier.read(one.signature)
        const signed = digestsOf(signature)
        const digests = fixed.get(one.documentId) ?? new Map()
        assertSigned(signed, await this.use.digests.complete(one.documentId, digests, signed.keys()))
        assertNew(signature, known)
        return { ...one, signature }
      }),
    )
    return mapInOrder(read, AT_ONCE, (one, index) =>
      nameFailed(index, one.documentId, async () => {
        await yieldToOthers()
        return { ...one, signature: await this.use.verifier.prove(one.signature) }
      }),
    )
  }
}

const digestsOf = ({ digests }: ReadSignature) => new Map(digests.map(({ oid, value }) => [oid, value]))

function assertNew({ fingerprint }: ReadSignature, known: Set<string>): void {
  const text = Buffer.from(fingerprint).toString('base64')
  if (known.has(text)) throw documentErrors.error('signatureAlreadySubmitted', { reason: 'twiceInRequest' })
  known.add(text)
}
