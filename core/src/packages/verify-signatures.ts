import { setImmediate as breathe } from 'node:timers/promises'
import { assertSigned, DocumentStore, documentErrors } from '../documents/index.js'
import { type SignatureInput, SignatureVerifier, type VerifiedSignature } from '../signatures/index.js'
import { eachOf } from './each-of.js'
import { inPlace } from './in-place.js'

/** Authorities are asked about so many signatures of one request at a time. */
const AT_ONCE = 8

/** Something about the signature under one document of a package. */
export interface UnderDocument<T> {
  readonly documentId: string
  readonly signature: T
}

/** Judges the signatures of a whole package, each against its document, before anything is stored. */
export class VerifySignatures {
  static readonly inject = [DocumentStore, SignatureVerifier] as const

  constructor(
    private readonly documents: DocumentStore,
    private readonly verifier: SignatureVerifier,
  ) {}

  /** Rejects with what is wrong with the first signature that is wrong; see `inPlace`. */
  async execute(given: readonly UnderDocument<SignatureInput>[]): Promise<UnderDocument<VerifiedSignature>[]> {
    const digests = await this.documents.digestsOfAll(given.map(({ documentId }) => documentId))
    const known = new Set<string>()
    // What can be refused without an authority is refused before any is asked.
    const read = await eachOf(given, 1, (one, index) =>
      inPlace(index, one.documentId, async () => {
        await breathe()
        const signature = this.verifier.read(one.signature)
        assertSigned(digestsOf(signature), digests.get(one.documentId) ?? new Map())
        assertNew(signature, known)
        return { ...one, signature }
      }),
    )
    return eachOf(read, AT_ONCE, (one, index) =>
      inPlace(index, one.documentId, async () => {
        await breathe()
        return { ...one, signature: await this.verifier.prove(one.signature) }
      }),
    )
  }
}

type Read = ReturnType<SignatureVerifier['read']>

const digestsOf = ({ digests }: Read) => new Map(digests.map(({ oid, value }) => [oid, value]))

function assertNew({ fingerprint }: Read, known: Set<string>): void {
  const text = Buffer.from(fingerprint).toString('base64')
  if (known.has(text)) throw documentErrors.error('signatureAlreadySubmitted', { reason: 'twiceInRequest' })
  known.add(text)
}
