import { readManifest } from '../asic/manifest.js'
import { readSignedData } from '../cms/signed-data.js'
import { RegistryError } from '../error.js'
import type { NamedDocument } from '../verify.js'
import type { GivenSignature } from '../verify-files.js'
import type { DocumentStatement, SignatureStatement } from './statement.js'

/**
 * What a signature of a bundle has to be over: the document, if it was shown; its ranges by their digests; or the manifest that names it,
 * which the CMS carries.
 */
export function overOf(
  {
    statement: { coverage },
    signed,
  }: { readonly statement: Pick<SignatureStatement, 'coverage'>; readonly signed: Uint8Array },
  shown: NamedDocument | undefined,
  inRanges: ReadonlyMap<string, Uint8Array> | undefined,
): Pick<GivenSignature, 'over'> {
  if (coverage === undefined) return shown === undefined ? {} : { over: shown }
  // Another file has to be told from a document that nobody has shown.
  const { name = '', document = NOTHING_SHOWN } = shown ?? {}
  if (coverage.of === 'ranges') return { over: { name, document: inRanges ?? NOTHING_SHOWN, coverage } }
  const manifest = contentOf(signed)
  if (manifest === undefined) return { over: { name, document, coverage } }
  return shown === undefined ? {} : { over: { name, document: manifest, coverage } }
}

const NOTHING_SHOWN: ReadonlyMap<string, Uint8Array> = new Map()

/** Whether the manifest in a CMS names another document than the one with these hashes, or none. */
export function namesOther(signed: Uint8Array, uri: string, digests: DocumentStatement['digests']): boolean {
  const content = contentOf(signed)
  const entries = content === undefined ? [] : (readManifest(content)?.entries ?? [])
  return !entries.some(
    (one) =>
      one.uri === uri &&
      one.oid !== undefined &&
      Object.hasOwn(digests, one.oid) &&
      digests[one.oid] === Buffer.from(one.digest).toString('hex'),
  )
}

/** The content of a CMS; `undefined` where it carries none, or cannot be read. */
function contentOf(signed: Uint8Array): Uint8Array | undefined {
  try {
    return readSignedData(signed).content
  } catch (error) {
    if (error instanceof RegistryError) return undefined
    throw error
  }
}
