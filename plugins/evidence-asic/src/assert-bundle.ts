import type { Bundle } from '@signed-registry/core'

/** Identifiers become names of files and parts of commands. */
const ID = /^[A-Za-z0-9_-]{1,64}$/

/** Refuses what cannot be arranged into a bundle; throws a `TypeError`. */
export function assertBundle({ package: pack, documents }: Bundle): void {
  if (documents.length === 0 || (pack === undefined && documents.length > 1))
    throw new TypeError('A bundle is of one document, or of those of a package')
  const signIds = documents.flatMap(({ signatures }) => signatures.map(({ signId }) => signId))
  const documentIds = documents.map(({ documentId }) => documentId)
  if (new Set(signIds).size < signIds.length || new Set(documentIds).size < documentIds.length)
    throw new TypeError('A document or a signature is given twice')
  const names = [...documentIds, ...(pack === undefined ? [] : [pack.packageId])]
  if (!names.every((id) => ID.test(id)) || !signIds.every(Number.isSafeInteger))
    throw new TypeError('An identifier cannot be the name of a file')
}
