import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { digest, type NamedByUri, type SignatureInFile, type SignedFile } from '@signed-registry/verifier'
import { alongside } from '@signed-registry/verifier/files'
import { coveredFingerprint, digestsToJson } from '../documents/index.js'
import type { Injected } from '../kernel/service.js'
import {
  type ReadSignature,
  type SignatureCoverage,
  SignatureVerifier,
  signatureErrors,
  type VerifiedSignature,
  withContent,
} from '../signatures/index.js'
import { fileErrors } from './errors.js'

/** A signature of a file as it is over one of its documents. */
interface SignedPartOf {
  readonly document: string
  readonly read: ReadSignature
  /** What it is registered with, for this document, once it is proved. */
  registered(proved: VerifiedSignature): VerifiedSignature
}

type Over<K extends SignatureInFile['over']['of']> = Extract<SignatureInFile['over'], { readonly of: K }>

/** Verifies the signatures of a file with its evidence, as those of `POST /api` are, and names the documents that each is over. */
export class ProveSigned {
  static readonly inject = { verifier: SignatureVerifier }

  constructor(private readonly use: Injected<typeof ProveSigned.inject>) {}

  /** By the names of documents, in the order of the file. Authorities may be asked: not for inside of transactions. */
  async prove(file: SignedFile): Promise<ReadonlyMap<string, readonly VerifiedSignature[]>> {
    const found = new Map<string, VerifiedSignature[]>(file.documents.map(({ name }) => [name, []]))
    const { candidates } = alongside(file, {})
    for (const one of file.signatures) {
      await yieldToOthers()
      const parts = await this.parts(one, file)
      const [first] = parts
      if (first === undefined) throw notProved(one, 'nothingSigned')
      const proved = await this.use.verifier.prove(withEvidenceOf(file, first.read), candidates)
      for (const part of parts) addOnce(found.get(part.document) ?? [], part.registered(proved))
    }
    return found
  }

  private async parts(one: SignatureInFile, file: SignedFile): Promise<SignedPartOf[]> {
    const { over } = one
    if (over.of === 'references') return this.byReferences(one, over, file)
    const read = await this.read(one)
    if (over.of === 'carried') return [{ document: '', read, registered: (proved) => proved }]
    if (over.of === 'ranges') return [inRanges(read, over)]
    if (over.of === 'manifest') return byManifest(read, over, file)
    return [{ document: over.document, read, registered: withoutCarried }]
  }

  /** An XML signature over several files is read as one over each of them. */
  private async byReferences(
    one: SignatureInFile,
    { documents }: Over<'references'>,
    file: SignedFile,
  ): Promise<SignedPartOf[]> {
    const parts: SignedPartOf[] = []
    for (const { document, uri, oid } of eachOnce(documents)) {
      if (oid === undefined) throw notProved(one, 'transformed')
      await yieldToOthers()
      const read = await this.read(one, uri)
      const value = digestOf(file, document, oid)
      assertOver(read, new Map([[oid, value]]))
      parts.push({ document, read, registered: named(read, { uri, oid, digest: value }) })
    }
    return parts
  }

  private read({ signType, signed: signature }: SignatureInFile, documentUri?: string): Promise<ReadSignature> {
    return this.use.verifier.read({ signType, signature, documentUri })
  }
}

function inRanges(read: ReadSignature, { document, ranges, digests }: Over<'ranges'>): SignedPartOf {
  assertOver(read, digests)
  const coverage: SignatureCoverage = { of: 'ranges', ranges: [...ranges], digests: signedItself(read) }
  const registered = (proved: VerifiedSignature) => ({
    ...withoutCarried(proved),
    signedDigests: new Map(),
    evidence: { ...proved.evidence, coverage },
  })
  return { document, read, registered }
}

/** It is kept with the manifest as its content: what is kept proves itself, in one piece. */
function byManifest(read: ReadSignature, over: Over<'manifest'>, file: SignedFile): SignedPartOf[] {
  const { manifest, documents } = over
  assertOver(read, new Map(read.digests.map(({ oid }) => [oid, digest(oid, manifest)])))
  return eachOnce(documents).flatMap(({ document, uri, oid }): SignedPartOf[] => {
    if (oid === undefined) return []
    const asOne = named(read, { uri, oid, digest: digestOf(file, document, oid) })
    const registered = (proved: VerifiedSignature) => {
      const { evidence, ...one } = asOne(proved)
      return { ...one, evidence: { ...evidence, signature: withContent(evidence.signature, manifest) } }
    }
    return [{ document, read, registered }]
  })
}

/** A signature over a list of files as one over the file that it calls `uri`. */
const named =
  (read: ReadSignature, file: Parameters<typeof coveredFingerprint>[1]) =>
  (proved: VerifiedSignature): VerifiedSignature => {
    const coverage: SignatureCoverage = { of: 'references', uris: [file.uri], digests: signedItself(read) }
    return {
      ...withoutCarried(proved),
      signedDigests: new Map([[file.oid, file.digest]]),
      fingerprint: coveredFingerprint(proved.fingerprint, file),
      evidence: { ...proved.evidence, coverage },
    }
  }

/** What a CMS in a container or PDF carries is no document: the one that it has to be over stands beside it. */
const withoutCarried = (proved: VerifiedSignature): VerifiedSignature => ({ ...proved, content: undefined })

/** Of several names of one document the first: a signer signed it once. */
const eachOnce = (named: readonly NamedByUri[]): readonly NamedByUri[] =>
  named.filter(({ document }, index) => named.findIndex((one) => one.document === document) === index)

/** A file may have one signature twice. */
function addOnce(registered: VerifiedSignature[], one: VerifiedSignature): void {
  if (!registered.some(({ fingerprint }) => Buffer.compare(fingerprint, one.fingerprint) === 0)) registered.push(one)
}

const signedItself = ({ digests }: ReadSignature): Record<string, string> =>
  digestsToJson(new Map(digests.map(({ oid, value }) => [oid, value])))

/** Refuses a signature that is not over what its place in the file says. */
function assertOver({ digests }: ReadSignature, due: ReadonlyMap<string, Uint8Array>): void {
  for (const { oid: algorithm, value, form } of digests) {
    const own = due.get(algorithm)
    if (form !== undefined || own === undefined || Buffer.compare(own, value) !== 0)
      throw signatureErrors.error('signatureDoesNotCorrespond', { algorithm })
  }
}

function digestOf({ documents }: SignedFile, name: string, oid: string): Uint8Array {
  const found = documents.find((one) => one.name === name)?.digests.get(oid)
  if (found === undefined) throw new TypeError(`${name} was not hashed by ${oid}`)
  return found
}

/** With the evidence that its file has beside all signatures, such as the DSS of a PDF, as if it carried it. */
const withEvidenceOf = ({ beside }: SignedFile, read: ReadSignature): ReadSignature => ({
  ...read,
  carried: {
    ...read.carried,
    answers: [...read.carried.answers, ...beside.responses],
    crls: [...read.carried.crls, ...beside.crls],
  },
})

const notProved = ({ name }: SignatureInFile, reason: string) =>
  fileErrors.error('fileNotProved', { problems: [{ code: 'signatureBroken', name, reason }] })
