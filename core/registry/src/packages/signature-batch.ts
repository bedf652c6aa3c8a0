import { RegistryError } from '../kernel/error.js'
import type { SignatureInput } from '../signatures/index.js'
import { packageErrors } from './errors.js'

/** Something about the signature under one document of a package. */
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

/** Runs work on one signature of a batch. What refuses it says which one: `index`, `documentId` and `code` in its details. */
export async function nameFailed<T>(index: number, documentId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof RegistryError ? error.with({ index, documentId, code: error.code }) : error
  }
}

/** Adds `index` and `code` to a refusal that names its document itself. */
export function withIndex(error: unknown, documentsIds: readonly string[]): unknown {
  if (!(error instanceof RegistryError)) return error
  const index = documentsIds.indexOf(String(error.details?.documentId))
  return index < 0 ? error : error.with({ index, code: error.code })
}
