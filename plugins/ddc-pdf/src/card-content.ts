import { type Card, type CardLanguage, stringConsts } from '@signed-registry/core'
import type { DrawnCard } from './job.js'
import { recipeText } from './recipe-text.js'
import { signatureFile, signaturePage } from './signature-content.js'
import { signersOf } from './signers-content.js'
import { texts } from './texts.js'
import { Words } from './words.js'

const FOOTER = 90

/** Prepares a card for drawing: every text in the card's languages. */
export function drawn(card: Card, utcOffset: number): DrawnCard {
  const words = new Words(card.languages, utcOffset)
  const { maker, documentId, link } = card
  const says = card.saysVerified ? texts.verifiedAt : texts.signedAt
  return {
    frame: {
      footer: `${words.short(texts.heading)}. ${cutAt([card.title, card.description].filter(Boolean).join('. '), FOOTER)}`,
      pageOf: words.first(texts.pageOf),
      id: card.showsId ? { text: `ID ${documentId}`, code: card.linksId ? link : documentId } : undefined,
      link: { code: link, words: words.each(says).map((run) => ({ ...run, text: `${run.text} ${maker.service}` })) },
      logo: maker.logo,
      logoCaption: inLanguages(card, maker.logoCaption),
      letterhead: inLanguages(card, maker.letterhead?.name),
      color: colorOf(maker.letterhead?.color),
    },
    information: information(card, words),
    signers: card.signatures.length === 0 ? undefined : signersOf(card, words),
    original: {
      name: card.fileName,
      note: words.of(texts.original),
      mime: isPdfName(card.fileName) ? 'application/pdf' : 'application/octet-stream',
      bytes: card.original,
    },
    pages: card.showsOriginal
      ? {
          heading: words.of(texts.originalPages),
          watermark: words.first(texts.watermark),
          pageOf: words.first(texts.pageOf),
        }
      : undefined,
    signatures: card.signatures.map((one, n) => ({
      file: signatureFile(one, n, words),
      page: card.showsSignatures ? signaturePage(one, n, card, words) : undefined,
    })),
    builtAt: card.builtAt,
    language: card.languages[0] ?? 'ru',
    recipe: recipeText(card, utcOffset),
  }
}

/** Whether a file name has the extension of PDF; only the pages of such an original are shown. */
const isPdfName = (name: string) => name.toLowerCase().endsWith('.pdf')

function information(card: Card, words: Words): DrawnCard['information'] {
  const { maker } = card
  const how = card.languages.map((lang) => ({ text: maker.howToVerify?.[lang] ?? '', lang }))
  return {
    heading: words.of(texts.heading),
    title: card.title || card.fileName,
    description: card.description,
    facts: [
      { label: words.of(texts.built), value: words.time(card.builtAt) },
      { label: words.of(texts.service), value: maker.service },
      ...(card.showsId ? [{ label: words.of(texts.documentId), value: card.documentId }] : []),
      { label: words.of(texts.signaturesCount), value: String(card.signatures.length) },
    ],
    contentsHeading: words.of(texts.contents),
    contents: {
      information: words.of(texts.information),
      signers: words.of(texts.signers),
      original: words.of(texts.originalPages),
      signatures: words.of(texts.signaturePages),
    },
    filesHeading: words.of(texts.files),
    hashesHeading: words.of(texts.hashes),
    hashes: [...card.digests].map(([oid, value]) => ({
      label: words.name(oid, stringConsts.OIDs),
      value: Buffer.from(value).toString('hex'),
    })),
    paragraphs: [
      ...words.each(texts.checked),
      ...words.each(texts.whatIsCard),
      ...words.each(texts.whatIsOriginal),
      ...words
        .each(card.showsId ? texts.howToVerify : texts.howToVerifyFile)
        .map((run) => ({ ...run, text: `${run.text} ${card.link}` })),
      ...how.filter(({ text }) => text !== ''),
    ].map((run) => [run]),
    warnings: words.each(texts.warning).map((run) => [run]),
  }
}

const SAMPLE_LINK = 'https://example.kz/d/SAMPLE'

/** A card of an unsigned PDF, to preview its pages. */
export const sampleCard = (pdf: Uint8Array, languages: readonly CardLanguage[]): Card => ({
  documentId: 'SAMPLE',
  title: languages.map((language) => texts.sample[language]).join(' / '),
  description: '',
  fileName: 'sample.pdf',
  original: pdf,
  digests: new Map(),
  signatures: [],
  languages,
  builtAt: 0,
  link: SAMPLE_LINK,
  maker: { service: texts.sample[languages[0] ?? 'ru'] },
  showsOriginal: true,
  showsSignatures: true,
  showsCodes: true,
  showsId: true,
  linksId: false,
  saysVerified: false,
})

/** Truncates a text to `limit` characters, with an ellipsis. */
const cutAt = (text: string, limit: number): string => {
  const characters = [...text]
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join('')}…`
}

/** Words of an organization, in the languages of the card that it has them in. */
const inLanguages = ({ languages }: Card, words: Card['maker']['logoCaption'] = {}): string =>
  [...new Set(languages.map((language) => words[language] ?? ''))].filter(Boolean).join(' / ')

/** Red, green and blue of `#rrggbb`, from 0 to 1. */
function colorOf(color: string | undefined): DrawnCard['frame']['color'] {
  const [, red, green, blue] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color ?? '') ?? []
  if (red === undefined || green === undefined || blue === undefined) return undefined
  const part = (hex: string) => Number.parseInt(hex, 16) / 255
  return [part(red), part(green), part(blue)]
}
