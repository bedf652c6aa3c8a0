import { CheckSigned } from '../checking/index.js'
import { digestsToJson } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { anyone } from '../identity/index.js'
import { RegistryError } from '../kernel/error.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { bytesOf, type Digests, receive, uploadOf } from '../originals/index.js'
import {
  digestAlgorithm,
  type NamedDocument,
  type ReadSignature,
  SignatureVerifier,
  unreadable,
} from '../signatures/index.js'
import { CardWork } from './card-work.js'
import { type CheckedCardSignature, CheckedDdc, cardOutcome } from './checked-ddc.js'
import { type CardPages, ComparePages, notCompared } from './compare-pages.js'
import { cardErrors } from './errors.js'
import { CardLimits } from './limits.js'
import { type CardFile, CardParser } from './ports.js'

const SHA_256 = '2.16.840.1.101.3.4.2.1'

/** Judges every signature of a document card over the original in it, registered or not; stores nothing. */
export class CheckDdc {
  static readonly operation = operation({
    id: 'checkDdc',
    group: 'cards',
    at: 'POST /checkDDC',
    who: anyone(),
    summary: 'Judge the signatures of a document card, registered or not; nothing is kept',
    description:
      'The verifier alone judges each signature over the original in the card, as POST /api/checkSignature does. documentId is there only when the files in the card are genuine. Then the card is built again, and its pages are compared.',
    upload: true,
    answer: CheckedDdc,
    refuses: ['cardNotParsed'],
  })
  static readonly inject = {
    parser: CardParser,
    verifier: SignatureVerifier,
    checking: CheckSigned,
    pages: ComparePages,
    cards: CardWork,
    limits: CardLimits,
  }

  constructor(private readonly use: Injected<typeof CheckDdc.inject>) {}

  async execute(caller: Caller, { upload }: Input<typeof CheckDdc.operation>): Promise<CheckedDdc> {
    return this.use.cards.withFile(caller, upload.size, async () => this.judgeCard(caller, await bytesOf(upload)))
  }

  private async judgeCard(caller: Caller, card: Uint8Array): Promise<CheckedDdc> {
    const [original, ...files] = await this.use.cards.have(caller, 'cardNotParsed', () => this.use.parser.parse(card))
    if (original === undefined || files.length === 0)
      throw cardErrors.error('cardNotParsed', { reason: 'noAttachments' })
    if (files.length > this.use.limits.cardSignatures)
      throw cardErrors.error('cardNotParsed', { reason: 'tooManyAttachments' })
    const digests = await this.digests(original, files)
    const signatures: CheckedDdc['signatures'] = []
    for (const file of files)
      signatures.push(await this.judge(caller, file, { name: original.name, document: digests }))
    const documentId = genuine(signatures)
    const pages = await this.pages(caller, card, original, signatures)
    return {
      outcome: cardOutcome({ signatures, pages }),
      ...(documentId !== undefined && { documentId }),
      original: { name: original.name, size: original.bytes.length, digests: digestsToJson(digests) },
      ...{ signatures, pages },
    }
  }

  private async pages(
    caller: Caller,
    bytes: Uint8Array,
    original: CardFile,
    signatures: CheckedDdc['signatures'],
  ): Promise<CardPages> {
    const documentId = genuine(signatures)
    if (documentId === undefined) return notCompared('notRegistered')
    const signIds = signatures.flatMap(({ registered }) => registered?.signId ?? [])
    return this.use.pages.compare(caller, { bytes, documentId, signIds, original })
  }

  /** Hashes of the original by the algorithms of its signatures. */
  private async digests(original: CardFile, files: readonly CardFile[]): Promise<Digests> {
    const algorithms = new Set([SHA_256])
    for (const { bytes } of files) {
      const read = await readable(this.use.verifier.read({ signature: bytes }))
      for (const { oid } of read?.digests ?? []) if (digestAlgorithm(oid).trusted) algorithms.add(oid)
    }
    return receive(uploadOf(original.bytes), { algorithms })
  }

  /** Passed as base64, which can only be CMS: a card has no XML signatures. */
  private async judge(
    caller: Caller,
    { name, bytes }: CardFile,
    original: NamedDocument,
  ): Promise<CheckedCardSignature> {
    const signed = Buffer.from(bytes).toString('base64')
    const verdict = await this.use.checking.check(caller, { name, signed, documents: [original] })
    const refusal = unreadable(verdict.signatures)
    if (refusal !== undefined) return { name, refusal: { code: refusal.code, message: refusal.message } }
    const [one, another] = verdict.signatures
    const registered = another === undefined ? one?.registered : undefined
    return { name, ...(registered && { registered }), verdict }
  }
}

/** The result of reading; `undefined` if it is refused. */
async function readable(reading: Promise<ReadSignature>): Promise<ReadSignature | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof RegistryError) return undefined
    throw error
  }
}

/** The one document that every signature is registered under and matches. */
function genuine(signatures: CheckedDdc['signatures']): string | undefined {
  const documents = new Set(signatures.map(({ registered }) => registered?.documentId))
  const areOver = signatures.every(({ verdict }) => verdict?.signatures.every(({ document }) => document === 'matches'))
  const [documentId] = documents
  return areOver && documents.size === 1 ? documentId : undefined
}
