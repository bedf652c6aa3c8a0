import Type, { type Static } from 'typebox'
import { DocumentStore, VerifyAgain } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { anyone } from '../identity/index.js'
import { RegistryError } from '../kernel/error.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { CleanContent, DataStates, uploadOf } from '../originals/index.js'
import { type BundledDocument, DocumentsInBundle } from './documents-in-bundle.js'
import { bundleErrors, uncleanBundle } from './errors.js'
import { EvidenceWork } from './evidence-work.js'
import { type ReadBundle, ReadBundles } from './read-bundle.js'
import { RegisterBundle } from './register-bundle.js'

/** Answer of `POST /api/parseEvidence`. */
export const ParsedEvidence = Type.Object(
  {
    documents: Type.Array(
      Type.Object({
        documentId: Type.String({ description: 'in this registry' }),
        signIds: Type.Array(Type.Integer(), { description: 'in the order of the bundle' }),
        document: Type.String({ description: 'base64 of the original' }),
        dataArchived: Type.Boolean(),
      }),
      { description: 'in the order of the bundle' },
    ),
  },
  { $id: 'ParsedEvidence' },
)
export type ParsedEvidence = Static<typeof ParsedEvidence>

/**
 * Takes an evidence bundle in, of this registry or another, as `ParseDdc` does a card: on request registers the documents and
 * signatures that are unknown here, all or none.
 */
export class ParseEvidence {
  static readonly operation = operation({
    id: 'parseEvidence',
    group: 'evidence',
    at: 'POST /parseEvidence',
    who: anyone(),
    summary: 'Take an evidence bundle in: documents, signatures and originals, and register what is unknown',
    description:
      'Answers only when nothing in the bundle was changed, it has its originals, and every signature is good by the evidence in the bundle. A document none of whose signatures is registered is registered anew, under another identifier, private where the bundle says so.',
    query: Type.Object({
      registerUnknownSignatures: Type.Optional(
        Type.Boolean({ default: false, description: 'register documents and signatures that are not registered yet' }),
      ),
    }),
    upload: true,
    onlyOctets: true,
    answer: ParsedEvidence,
    refuses: [
      'documentDigestsNotKnown',
      'evidenceContentNotClean',
      'evidenceNotProved',
      'evidenceNotRead',
      'evidenceOfDifferentDocuments',
      'evidenceSignaturesNotRegistered',
      'evidenceWithoutOriginal',
      'invalidCertificateStatus',
      'invalidDocumentTitle',
      'invalidSignature',
      'signatureNotFound',
    ],
  })
  static readonly inject = {
    reading: ReadBundles,
    finding: DocumentsInBundle,
    registering: RegisterBundle,
    clean: CleanContent,
    documents: DocumentStore,
    verification: VerifyAgain,
    states: DataStates,
    work: EvidenceWork,
  }

  constructor(private readonly use: Injected<typeof ParseEvidence.inject>) {}

  /** The signatures are the proof, so any caller may send a bundle. */
  async execute(
    caller: Caller,
    { query = {}, upload }: Input<typeof ParseEvidence.operation>,
  ): Promise<ParsedEvidence> {
    return this.use.work.withBundle(caller, upload, async (bytes) => {
      const bundle = await this.use.reading.read(bytes)
      if (bundle.problems.length > 0)
        throw bundleErrors.error('evidenceNotProved', { problems: bundle.problems.map((one) => ({ ...one })) })
      const parse = () => this.parsed(caller, bundle, query.registerUnknownSignatures === true)
      try {
        return await parse()
      } catch (error) {
        if (!(error instanceof RegistryError) || error.code !== 'signatureAlreadySubmitted') throw error
        // Somebody else registered the same at the same moment, and now it is known.
        return parse()
      }
    })
  }

  private async parsed(caller: Caller, bundle: ReadBundle, registersUnknown: boolean): Promise<ParsedEvidence> {
    const documents = await this.use.finding.find(bundle)
    const unknown = documents.flatMap(({ signatures }) => signatures.filter(({ signId }) => signId === undefined))
    if (unknown.length > 0 && !registersUnknown)
      throw bundleErrors.error('evidenceSignaturesNotRegistered', { files: unknown.map(({ file }) => file) })
    return { documents: await this.registered(caller, documents) }
  }

  private async registered(
    caller: Caller,
    documents: readonly BundledDocument[],
  ): Promise<ParsedEvidence['documents']> {
    for (const { original } of documents) await this.use.clean.assert(original, uncleanBundle)
    for (const { documentId, original } of documents)
      if (documentId !== undefined) await this.verify(caller, documentId, original)
    const added = await this.use.registering.register(caller, documents)
    const answers: ParsedEvidence['documents'] = []
    for (const [index, { documentId, signIds }] of added.entries()) {
      const { original = new Uint8Array() } = documents[index] ?? {}
      const { dataArchived } = await this.use.states.kept(documentId)
      answers.push({ documentId, signIds, document: Buffer.from(original).toString('base64'), dataArchived })
    }
    return answers
  }

  private async verify(caller: Caller, documentId: string, original: Uint8Array): Promise<void> {
    await this.use.verification.verify(caller, await this.use.documents.get(documentId), uploadOf(original))
  }
}
