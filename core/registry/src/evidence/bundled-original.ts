import { DocumentAccess, type DocumentRecord, KnownDigests } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import { ReadOriginals } from '../originals/index.js'
import type { DocumentToBundle } from './make-bundle.js'

const SHA_256 = '2.16.840.1.101.3.4.2.1'

/** Takes stored originals along for callers who may read them. */
export class BundledOriginals {
  static readonly inject = { access: DocumentAccess, originals: ReadOriginals, digests: KnownDigests }

  constructor(private readonly use: Injected<typeof BundledOriginals.inject>) {}

  /** The document with its original, if that is stored, and the caller may read it and does not leave it out. */
  async withOriginal(caller: Caller, document: DocumentRecord, withoutOriginal = false): Promise<DocumentToBundle> {
    const none = { document, original: undefined }
    if (withoutOriginal || !(await this.use.access.may('readData', caller, document))) return none
    const stored = await this.use.originals.find(document.id)
    if (stored === undefined) return none
    // A bundle names every file by its SHA-256, and an operator may have configured other hashes.
    await this.use.digests.of(document.id, [SHA_256])
    return { document, original: () => stored.bytes() }
  }
}
