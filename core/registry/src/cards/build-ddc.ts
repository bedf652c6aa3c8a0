import Type, { type Static } from 'typebox'
import { DocumentParams, onDocument } from '../documents/index.js'
import { type Caller, organizationOf } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { checkLength } from '../kernel/field-length.js'
import { Limits } from '../kernel/limits.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { Site } from '../kernel/site.js'
import { Subscriptions } from '../organizations/index.js'
import { CleanContent } from '../originals/index.js'
import { cardLink, nameInCard } from './card-names.js'
import { CardWork } from './card-work.js'
import { cardErrors, uncleanCard } from './errors.js'
import { languagesOf } from './languages.js'
import { CardMakers } from './maker.js'
import { CardBuilder } from './ports.js'
import { ProveDocument } from './proved-document.js'

const flag = (description: string) => Type.Optional(Type.Boolean({ description, default: false }))

/** Query of `POST /api/{id}/buildDDC`. */
export const BuildDdcQuery = Type.Object({
  fileName: Type.Optional(Type.String({ description: 'name of the original in the card; the title where not given' })),
  withoutDocumentVisualization: flag('leave out the pages of the original; needed unless its name ends in .pdf'),
  withoutSignaturesVisualization: flag('leave out the pages of the signatures'),
  withoutQRCodesInSignaturesVisualization: flag('leave out the codes that hold the signatures'),
  withoutID: flag('leave out the identifier of the document, and whatever has it: links, codes, names'),
  qrWithIDLink: flag('the code beside the identifier holds the link to the page of the document'),
  withLabelVerified: flag('the caption beside the link says "verified at" instead of "signed at"'),
  language: Type.Optional(Type.String({ description: 'ru (default), kk, en, or several of them such as kk/ru/en' })),
})

/** Answer of `POST /api/{id}/buildDDC`. */
export const BuiltDdc = Type.Object(
  {
    documentId: Type.String(),
    ddc: Type.String({ description: 'base64 of the card, a PDF' }),
    dataArchived: Type.Boolean(),
  },
  { $id: 'BuiltDdc' },
)
export type BuiltDdc = Static<typeof BuiltDdc>

/**
 * Builds a document card: verifies the original and all signatures again, then shows and attaches them (specification,
 * `POST /api/{id}/buildDDC`). An empty body stands for the stored original.
 */
export class BuildDdc {
  static readonly operation = operation({
    id: 'buildDdc',
    group: 'cards',
    at: 'POST /:id/buildDDC',
    who: onDocument('view', { more: '; without a body whoever may read its stored original' }),
    summary: 'Build a document card from the original',
    description:
      'A PDF that shows the document and its signatures and carries all of them as attachments. An empty body stands for the original that is stored, for whoever may read that.',
    params: DocumentParams,
    query: BuildDdcQuery,
    upload: true,
    orStored: true,
    answer: BuiltDdc,
    file: { field: 'ddc', type: 'application/pdf' },
    refuses: [
      'archiveNotFound',
      'cardContentNotClean',
      'cardNotBuilt',
      'featureNotAvailable',
      'noSignaturesInFormat',
      'notSupportedDocumentType',
      'signatureDoesNotCorrespond',
      'signaturesInOtherFormat',
      'signaturesNotOverDocument',
    ],
  })
  static readonly inject = {
    proving: ProveDocument,
    cards: CardWork,
    clean: CleanContent,
    makers: CardMakers,
    builder: CardBuilder,
    features: Subscriptions,
    site: Site,
    clock: Clock,
    limits: Limits,
  }

  constructor(private readonly use: Injected<typeof BuildDdc.inject>) {}

  async execute(
    caller: Caller,
    { id: documentId, document, query = {}, upload }: Admitted<typeof BuildDdc.operation>,
  ): Promise<BuiltDdc> {
    const languages = languagesOf(query.language)
    await this.use.features.assertEnabled(organizationOf(caller), 'documentsCards')
    checkLength('fileName', query.fileName ?? '', this.use.limits.title)
    const shown = { documentId, showsId: query.withoutID !== true }
    const fileName = nameInCard(query.fileName || document.title, shown)
    const showsOriginal = query.withoutDocumentVisualization !== true
    if (showsOriginal && !fileName.toLowerCase().endsWith('.pdf'))
      throw cardErrors.error('notSupportedDocumentType', { fileName })

    return this.use.proving.prove(caller, document, upload, async ({ original, digests, signatures, state }) => {
      await this.use.clean.assert(original, uncleanCard)
      const maker = await this.use.makers.of(caller, document, signatures)
      const card = await this.use.cards.have(caller, 'cardNotBuilt', () =>
        this.use.builder.build({
          ...shown,
          title: document.title,
          description: document.description,
          fileName,
          original,
          digests,
          signatures,
          languages,
          builtAt: this.use.clock.now(),
          link: cardLink(this.use.site, shown),
          maker,
          showsOriginal,
          showsSignatures: query.withoutSignaturesVisualization !== true,
          showsCodes: query.withoutQRCodesInSignaturesVisualization !== true,
          linksId: query.qrWithIDLink === true,
          saysVerified: query.withLabelVerified === true,
        }),
      )
      return { documentId, ddc: Buffer.from(card).toString('base64'), dataArchived: state.dataArchived }
    })
  }
}
