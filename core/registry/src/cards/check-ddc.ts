import { setImmediate } from 'node:timers/promises'
import Type, { type Static } from 'typebox'
import { digestsToJson, FindSignature, type RegisteredSignature } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { RegistryError } from '../kernel/error.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { type Digests, receive } from '../originals/index.js'
import {
  CheckedSignature,
  digestAlgorithm,
  JudgeSignature,
  type ReadSignature,
  SignatureVerifier,
} from '../signatures/index.js'
import { answering } from './card-faults.js'
import { CardPages, ComparePages, notCompared } from './compare-pages.js'
import { cardErrors } from './errors.js'
import { CardLimits } from './limits.js'
import { type CardFile, CardParser } from './ports.js'
import { uploadOf, wholeOf } from './whole.js'

/** One signature of a card that is checked: judged, or refused where it cannot be read. */
const CheckedCardSignature = Type.Object({
  name: Type.String({ description: 'of the file in the card' }),
  registered: Type.Optional(Type.Object({ documentId: Type.String(), signId: Type.Integer() })),
  verdict: Type.Optional(CheckedSignature),
  refusal: Type.Optional(
    Type.Object({ code: Type.String(), message: Type.String() }, { description: 'why it is no signature at all' }),
  ),
})

/** Answer of `POST /api/checkDDC`. */
export const CheckedDdc = Type.Object(
  {
    documentId: Type.Optional(
      Type.String({
        description:
          'the files in the card are genuine: every signature is registered under this document, and is over the original; of the pages it says nothing',
      }),
    ),
    original: Type.Object({
      name: Type.String(),
      size: Type.Integer({ description: 'bytes' }),
      digests: Type.Record(Type.String(), Type.String(), { description: 'OID of the algorithm to base64 of the hash' }),
    }),
    signatures: Type.Array(CheckedCardSignature, { description: 'in the order of the card' }),
    pages: CardPages,
  },
  { $id: 'CheckedDdc' },
)
export type CheckedDdc = Static<typeof CheckedDdc>

interface Opened {
  readonly name: string
  readonly bytes: Uint8Array
  /** Absent where it cannot be read. */
  readonly signature: ReadSignature | undefined
  readonly registered: RegisteredSignature | undefined
}

const SHA_256 = '2.16.840.1.101.3.4.2.1'

/** Judges every signature of a document card over the original in it, registered or not; keeps and registers nothing. */
export class CheckDdc {
  static readonly operation = operation({
    id: 'checkDdc',
    group: 'cards',
    summary: 'Judge the signatures of a document card, registered or not; nothing is kept',
    description:
      'Anybody may ask. The verifier alone judges each signature over the original in the card, as POST /api/checkSignature does. documentId is there only when the files in the card are genuine. Then the card is built again, and its pages are compared.',
    upload: true,
    answer: CheckedDdc,
  })
  static readonly inject = {
    parser: CardParser,
    finding: FindSignature,
    verifier: SignatureVerifier,
    judging: JudgeSignature,
    pages: ComparePages,
    limits: CardLimits,
  }

  constructor(private readonly use: Injected<typeof CheckDdc.inject>) {}

  async execute(caller: Caller, { upload }: Input<typeof CheckDdc.operation>): Promise<CheckedDdc> {
    const { cardBytes, cardSignatures } = this.use.limits
    const card = await wholeOf(upload, cardBytes)
    const [original, ...files] = await answering('cardNotParsed', () => this.use.parser.parse(card))
    if (original === undefined || files.length === 0)
      throw cardErrors.error('cardNotParsed', { reason: 'noAttachments' })
    if (files.length > cardSignatures) throw cardErrors.error('cardNotParsed', { reason: 'tooManyAttachments' })
    const opened: Opened[] = []
    for (const file of files) opened.push(await this.open(file))
    const digests = await digestsOf(original, opened)
    const signatures: CheckedDdc['signatures'] = []
    for (const one of opened) {
      // Others are served between two signatures of a card that has many.
      await setImmediate()
      signatures.push({
        name: one.name,
        ...(one.registered && { registered: one.registered }),
        ...(await this.judge(one, digests)),
      })
    }
    const documentId = genuine(signatures)
    return {
      ...(documentId !== undefined && { documentId }),
      original: { name: original.name, size: original.bytes.length, digests: digestsToJson(digests) },
      signatures,
      pages: await this.pages(caller, card, original, signatures),
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

  private async open({ name, bytes }: CardFile): Promise<Opened> {
    const signature = await refusable(this.use.verifier.read({ signature: bytes }))
    if (signature instanceof RegistryError) return { name, bytes, signature: undefined, registered: undefined }
    return { name, bytes, signature, registered: await this.registered(signature) }
  }

  /** Where it is registered with the very evidence that the card has. */
  private async registered(signature: ReadSignature): Promise<RegisteredSignature | undefined> {
    try {
      return await this.use.finding.exported(signature)
    } catch (error) {
      if (error instanceof RegistryError && error.code === 'signatureNotFound') return undefined
      throw error
    }
  }

  /** As base64 it can be a CMS alone: a card has no XML signatures. */
  private async judge(
    { bytes }: Opened,
    digests: Digests,
  ): Promise<Pick<CheckedDdc['signatures'][number], 'verdict' | 'refusal'>> {
    const verdict = await refusable(this.use.judging.judge(Buffer.from(bytes).toString('base64'), digests))
    if (!(verdict instanceof RegistryError)) return { verdict }
    return { refusal: { code: verdict.code, message: verdict.message } }
  }
}

/** What is read, or the refusal of it. */
async function refusable<T>(reading: Promise<T>): Promise<T | RegistryError> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof RegistryError) return error
    throw error
  }
}

/** The hashes of the original that its signatures are over. */
function digestsOf(original: CardFile, signatures: readonly Opened[]): Promise<Digests> {
  const named = signatures.flatMap(({ signature }) => signature?.digests.map(({ oid }) => oid) ?? [])
  const algorithms = new Set([SHA_256, ...named.filter((oid) => digestAlgorithm(oid).trusted)])
  return receive(uploadOf(original.bytes), { algorithms })
}

/** The one document that every signature is registered under, and over. */
function genuine(signatures: CheckedDdc['signatures']): string | undefined {
  const documents = new Set(signatures.map(({ registered }) => registered?.documentId))
  const areOver = signatures.every(({ verdict }) => verdict?.signatures.every(({ document }) => document === 'matches'))
  const [documentId] = documents
  return areOver && documents.size === 1 ? documentId : undefined
}
