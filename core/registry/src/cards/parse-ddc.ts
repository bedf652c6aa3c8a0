import Type, { type Static } from 'typebox'
import { DocumentStore, FindSignature, UnknownSignatures, VerifyAgain } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { anyone } from '../identity/index.js'
import { RegistryError } from '../kernel/error.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { bytesOf, CleanContent, uploadOf } from '../originals/index.js'
import { type ReadSignature, SignatureVerifier } from '../signatures/index.js'
import { CardWork } from './card-work.js'
import { cardErrors, uncleanCard } from './errors.js'
import { type CardFile, CardParser } from './ports.js'

/** Answer of `POST /api/parseDDC`. */
export const ParsedDdc = Type.Object(
  {
    documentId: Type.String(),
    signIds: Type.Array(Type.Integer(), { description: 'in the order of the card' }),
    document: Type.String({ description: 'base64 of the original' }),
    dataArchived: Type.Boolean(),
  },
  { $id: 'ParsedDdc' },
)
export type ParsedDdc = Static<typeof ParsedDdc>

interface CardSignatureFile {
  readonly file: string
  readonly signature: ReadSignature
  /** Where the signature is registered, if it is. */
  readonly known: { readonly documentId: string; readonly signId: number } | undefined
}

/**
 * Extracts the original and the signatures of a document card if all of them are valid (specification, `POST /api/parseDDC`):
 * every signature belongs to one registered document, and the original is what was signed.
 * Unknown signatures are registered on request, all or none.
 */
export class ParseDdc {
  static readonly operation = operation({
    id: 'parseDdc',
    group: 'cards',
    at: 'POST /parseDDC',
    who: anyone(),
    summary: 'Read a document card: the document, its signatures and the original',
    description:
      'Answers only when every signature in the card is of one registered document and the original is what was signed.',
    query: Type.Object({
      registerUnknownSignatures: Type.Optional(
        Type.Boolean({ default: false, description: 'register signatures of the card that are not registered yet' }),
      ),
    }),
    upload: true,
    onlyOctets: true,
    answer: ParsedDdc,
    refuses: [
      'cardContentNotClean',
      'cardDocumentNotRegistered',
      'cardNotParsed',
      'cardOfDifferentDocuments',
      'cardSignatureFormat',
      'cardSignaturesNotRegistered',
      'signatureDoesNotCorrespond',
      'signatureNotFound',
    ],
  })
  static readonly inject = {
    parser: CardParser,
    clean: CleanContent,
    documents: DocumentStore,
    unknown: UnknownSignatures,
    finding: FindSignature,
    verifier: SignatureVerifier,
    verification: VerifyAgain,
    cards: CardWork,
  }

  constructor(private readonly use: Injected<typeof ParseDdc.inject>) {}

  /** The signatures are the proof, so any caller may send a card. */
  async execute(caller: Caller, { query = {}, upload }: Input<typeof ParseDdc.operation>): Promise<ParsedDdc> {
    return this.use.cards.withFile(caller, upload.size, async () => {
      const card = await bytesOf(upload)
      const files = await this.use.cards.have(caller, 'cardNotParsed', () => this.use.parser.parse(card))
      return this.parsed(caller, files, query.registerUnknownSignatures === true)
    })
  }

  private async parsed(
    caller: Caller,
    [original, ...files]: readonly CardFile[],
    registersUnknown: boolean,
  ): Promise<ParsedDdc> {
    if (original === undefined || files.length === 0)
      throw cardErrors.error('cardNotParsed', { reason: 'noAttachments' })
    const signatures: CardSignatureFile[] = []
    for (const file of files) signatures.push(await this.find(file))

    const document = await this.use.documents.get(documentOf(signatures))
    const unknown = signatures.filter(({ known }) => known === undefined)
    if (unknown.length > 0 && !registersUnknown) {
      throw cardErrors.error('cardSignaturesNotRegistered', { files: unknown.map(({ file }) => file) })
    }
    await this.use.clean.assert(original.bytes, uncleanCard)
    const { state } = await this.use.verification.verify(caller, document, uploadOf(original.bytes))
    const read = unknown.map(({ signature }) => signature)
    const added = await this.use.unknown.add(
      document.id,
      await this.use.unknown.prove(document.id, original.bytes, read),
    )
    return {
      documentId: document.id,
      signIds: signatures.flatMap((one) => one.known?.signId ?? added[unknown.indexOf(one)] ?? []),
      document: Buffer.from(original.bytes).toString('base64'),
      dataArchived: state.dataArchived,
    }
  }

  private async find({ name, bytes }: CardFile): Promise<CardSignatureFile> {
    let signature: ReadSignature
    try {
      signature = await this.use.verifier.read({ signType: 'cms', signature: bytes })
    } catch (error) {
      if (error instanceof RegistryError && error.code === 'signatureNotParsed') {
        throw cardErrors.error('cardSignatureFormat', { file: name }, error)
      }
      throw error
    }
    if (signature.content !== undefined) throw cardErrors.error('cardSignatureFormat', { file: name })
    return { file: name, signature, known: await this.use.finding.exported(signature) }
  }
}

/** The one document that the registered signatures of a card are under. */
function documentOf(signatures: readonly CardSignatureFile[]): string {
  const documents = new Set(signatures.flatMap(({ known }) => known?.documentId ?? []))
  const [documentId] = documents
  if (documentId === undefined) throw cardErrors.error('cardDocumentNotRegistered')
  if (documents.size > 1) throw cardErrors.error('cardOfDifferentDocuments')
  return documentId
}
