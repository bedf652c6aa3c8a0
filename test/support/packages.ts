import { anonymous, type Caller } from '@signed-registry/core'
import { FixDigests, type FixedDigests } from '@signed-registry/core/documents'
import { RegisterPackage, type RegisterPackageRequest } from '@signed-registry/core/packages'
import type { TestRegistry } from './registry.js'
import { uploadOf } from './registry.js'

/** A registered package whose documents have their hashes. */
export interface FixedPackage {
  readonly packageId: string
  readonly documentsIds: readonly string[]
  /** Originals of the documents, in their order. */
  readonly originals: readonly Buffer[]
}

/** A package or document with empty title and description. */
export const UNTITLED = { title: '', description: '' }

export interface PackageFields extends Partial<Omit<RegisterPackageRequest, 'documents'>> {
  /** How many documents; three unless given. */
  readonly count?: number
  readonly caller?: Caller
}

let made = 0

/** Registers a package of documents that differ from all others, and fixes their hashes; `fixed` are the answers. */
export async function fixedPackage(
  { registry }: TestRegistry,
  fields: PackageFields = {},
): Promise<FixedPackage & { readonly fixed: readonly FixedDigests[] }> {
  const { count = 3, caller = anonymous, ...asked } = fields
  const request = { ...UNTITLED, ...asked }
  const originals = Array.from({ length: count }, () => Buffer.from(`Document ${++made}\n`))
  const documents = originals.map((_, index) => ({ title: `${index}.txt`, description: `number ${index}` }))
  const { dataSecret, ...registered } = await registry
    .get(RegisterPackage)
    .execute(caller, { request: { ...request, documents } })
  const fixed: FixedDigests[] = []
  for (const [index, documentId] of registered.documentsIds.entries()) {
    const upload = uploadOf(originals[index] ?? Buffer.alloc(0))
    const query = { ...(dataSecret && { dataSecret }) }
    fixed.push(await registry.get(FixDigests).execute(caller, { id: documentId, upload, query }))
  }
  return { ...registered, originals, fixed }
}

/** Somebody who signs. */
interface Signer {
  signCms(content: Uint8Array, options?: { timeStamp?: boolean; ocsp?: boolean }): Buffer
}

/** One signature over each original, as `POST /api/package/{packageId}` takes them. */
export const signaturesOver = (originals: readonly Uint8Array[], signer: Signer) =>
  originals.map((original) => ({
    signature: signer.signCms(original, { timeStamp: true, ocsp: true }).toString('base64'),
  }))
