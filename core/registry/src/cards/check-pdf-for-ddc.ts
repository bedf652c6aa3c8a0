import Type, { type Static } from 'typebox'
import type { Caller } from '../identity/index.js'
import { anyone } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { bytesOf } from '../originals/index.js'
import { CardWork } from './card-work.js'
import { languagesOf } from './languages.js'
import { CardBuilder } from './ports.js'

/** Answer of `POST /api/checkPDFForDDC`. */
export const SampleDdc = Type.Object(
  { sampleDDC: Type.String({ description: 'base64 of a sample card, a PDF' }) },
  { $id: 'SampleDdc' },
)
export type SampleDdc = Static<typeof SampleDdc>

/** Checks, before anybody signs it, that a PDF can be shown in a card (specification, `POST /api/checkPDFForDDC`). */
export class CheckPdfForDdc {
  static readonly operation = operation({
    id: 'checkPdfForDdc',
    group: 'cards',
    at: 'POST /checkPDFForDDC',
    who: anyone(),
    summary: 'Check that a PDF can be shown in a document card',
    description: 'Before anybody signs: it answers a sample card, or says why the PDF cannot be shown.',
    query: Type.Object({ language: Type.Optional(Type.String({ description: 'as for buildDDC' })) }),
    upload: true,
    onlyOctets: true,
    answer: SampleDdc,
    file: { field: 'sampleDDC', type: 'application/pdf' },
    refuses: ['cardNotBuilt'],
  })
  static readonly inject = { builder: CardBuilder, cards: CardWork }

  constructor(private readonly use: Injected<typeof CheckPdfForDdc.inject>) {}

  async execute(caller: Caller, { query = {}, upload }: Input<typeof CheckPdfForDdc.operation>): Promise<SampleDdc> {
    const languages = languagesOf(query.language)
    return this.use.cards.withFile(caller, upload.size, async () => {
      const pdf = await bytesOf(upload)
      const sample = await this.use.cards.have(caller, 'cardNotBuilt', () => this.use.builder.sample(pdf, languages))
      return { sampleDDC: Buffer.from(sample).toString('base64') }
    })
  }
}
