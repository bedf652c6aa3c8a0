import { hash } from 'node:crypto'
import { readManifest } from '@signed-registry/verifier/files'
import type { ReadSignature } from '../signatures/index.js'

/** How a signature over several files names one of them. */
export interface NamedFile {
  readonly uri: string
  readonly oid: string
  readonly digest: Uint8Array
}

/** Identifies a signature over several files as one over one of them: it is registered under each. */
export const coveredFingerprint = (fingerprint: Uint8Array, { uri, oid, digest }: NamedFile): Uint8Array =>
  hash('sha256', Buffer.concat([fingerprint, Buffer.from(`\n${uri}\n${oid}\n`), digest]), 'buffer')

/** Files of a manifest that are looked for: a package has fewer, and each is a query. */
const MAX_NAMED = 256

/** By what a signature may be registered: by itself, and under each of the files that the manifest in it names. */
export function fingerprintsOf({ fingerprint, content }: Pick<ReadSignature, 'fingerprint' | 'content'>): Uint8Array[] {
  const entries = content === undefined ? [] : (readManifest(content)?.entries ?? []).slice(0, MAX_NAMED)
  const named = entries.flatMap(({ oid, ...one }) => (oid === undefined ? [] : [{ ...one, oid }]))
  return [fingerprint, ...named.map((one) => coveredFingerprint(fingerprint, one))]
}
