import { type Card, type CardLanguage, type CardSignature, englishNames, stringConsts } from '@signed-registry/core'
import type { Signature } from '@signed-registry/core/signatures'
import type { AttachedFile, DrawnCard, Fact, SignaturePage } from './job.js'
import { recipeText } from './recipe-text.js'
import { type CardText, texts } from './texts.js'

const FOOTER = 90
const CODES = { version: 25, level: 'M' } as const

/** Prepares a card for drawing: every text in the card's languages. */
export function drawn(card: Card, utcOffset: number): DrawnCard {
  const words = new Words(card.languages, utcOffset)
  const { maker, documentId, link } = card
  const says = card.saysVerified ? texts.verifiedAt : texts.signedAt
  const caption = maker.logoCaption && card.languages.map((language) => maker.logoCaption?.[language] ?? '')
  return {
    frame: {
      footer: `${words.short(texts.heading)}. ${cutAt([card.title, card.description].filter(Boolean).join('. '), FOOTER)}`,
      pageOf: words.first(texts.pageOf),
      id: card.showsId ? { text: `ID ${documentId}`, code: card.linksId ? link : documentId } : undefined,
      link: { code: link, words: card.languages.map((language) => `${says[language]} ${maker.service}`) },
      logo: maker.logo,
      logoCaption: (caption ?? []).filter(Boolean).join(' / '),
    },
    information: information(card, words),
    original: {
      name: card.fileName,
      note: words.of(texts.original),
      mime: isPdfName(card.fileName) ? 'application/pdf' : 'application/octet-stream',
      bytes: card.original,
    },
    pages: card.showsOriginal
      ? { heading: words.of(texts.originalPages), watermark: words.first(texts.watermark) }
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
  const how = maker.howToVerify && card.languages.flatMap((language) => maker.howToVerify?.[language] ?? [])
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
      ...words.each(card.showsId ? texts.howToVerify : texts.howToVerifyFile).map((text) => `${text} ${card.link}`),
      ...(how ?? []),
    ],
    warning: words.each(texts.warning).join('\n'),
  }
}

const nameOf = ({ subjectStructure, subject }: Signature, oid: string) =>
  subjectStructure.flat().find((attribute) => attribute.oid === oid)?.value ?? (oid === COMMON_NAME ? subject : '')
const COMMON_NAME = '2.5.4.3'
const ORGANIZATION = '2.5.4.10'

const signatureFile = ({ signature, cms }: CardSignature, n: number, words: Words): AttachedFile => ({
  name: `${n + 1}.cms`,
  note: `${words.of(texts.signatureOf)}, ${nameOf(signature, COMMON_NAME)}`,
  mime: 'application/pkcs7-signature',
  bytes: cms,
})

function signaturePage({ signature, cms }: CardSignature, n: number, card: Card, words: Words): SignaturePage {
  const { tsp, ocsp, userId, businessId, signId, signType } = signature
  const label = (text: CardText, value: string): Fact => ({ label: words.of(text), value })
  const organization = nameOf(signature, ORGANIZATION)
  const usages = [
    ...signature.keyUsages.map((usage) => `${words.name(usage, stringConsts.keyUsages)} (${usage})`),
    ...signature.extKeyUsages.map((oid) => `${words.name(oid, stringConsts.extKeyUsageOIDs)} (${oid})`),
  ]
  return {
    heading: words.of(texts.signaturePage),
    title: words
      .each(texts.signature)
      .map((text) => `${text}${n + 1}`)
      .join(' / '),
    facts: [
      label(texts.signedOn, words.time(tsp?.timeStamp ?? signature.storedAt)),
      label(texts.signer, `${nameOf(signature, COMMON_NAME)}, ${words.of(texts.iin)} ${userId.slice(3)}`),
      ...(businessId === undefined
        ? []
        : [label(texts.organization, `${organization}, ${words.of(texts.bin)} ${businessId.slice(3)}`)]),
      label(
        texts.policies,
        signature.policyIds.map((oid) => `${words.name(oid, stringConsts.policyOIDs)} (${oid})`).join('\n'),
      ),
      label(texts.usages, usages.join('\n')),
      label(
        texts.algorithm,
        `${words.name(signature.signAlgorithm, stringConsts.signatureAlgorithmOIDs)} (${signature.signAlgorithm})`,
      ),
    ],
    boxes: [
      {
        title: words.of(texts.certificate),
        facts: [
          label(texts.subject, signature.subject),
          ...(signature.subjectAltName === undefined ? [] : [label(texts.altName, signature.subjectAltName)]),
          label(texts.serialNumber, signature.serialNumber),
          label(texts.from, words.time(signature.from)),
          label(texts.until, words.time(signature.until)),
          label(texts.issuer, signature.issuer),
        ],
      },
      ...(tsp === undefined ? [] : [evidence(texts.timeStamp, tsp, label(texts.at, words.time(tsp.timeStamp)), label)]),
      ocsp === undefined
        ? { title: words.of(texts.status), facts: [label(texts.status, words.of(texts.statusByCrl))] }
        : evidence(
            texts.status,
            ocsp,
            label(
              texts.at,
              `${words.time(ocsp.thisUpdate)}, ${explained(words.of(texts.statusGood), ocsp.certStatus)}`,
            ),
            label,
          ),
    ].map(({ title, facts }) => ({ title: typeof title === 'string' ? title : words.of(title), facts })),
    codes: card.showsCodes ? { ...codeIds(card, signId, n), signType, signature: cms, ...CODES } : undefined,
  }
}

/** The identifiers in QR codes: those of the registry, or the position in the card where the card hides the identifier. */
const codeIds = ({ documentId, showsId }: Card, signId: number, n: number) =>
  showsId ? { documentId, signId } : { signId: n + 1 }

/** A standard's term after its explanation, unless they are equal. */
const explained = (meaning: string, word: string): string => (meaning === word ? word : `${meaning} (${word})`)

/** An authority's answer and the certificate that signed it. */
const evidence = (
  title: CardText,
  { subject, serialNumber, issuer }: { subject: string; serialNumber: string; issuer: string },
  when: Fact,
  label: (text: CardText, value: string) => Fact,
) => ({
  title,
  facts: [when, label(texts.subject, subject), label(texts.serialNumber, serialNumber), label(texts.issuer, issuer)],
})

/** The texts of one card. */
class Words {
  constructor(
    private readonly languages: readonly CardLanguage[],
    private readonly utcOffset: number,
  ) {}

  /** In all languages of the card, on one line. */
  of(text: CardText): string {
    return [...new Set(this.each(text))].join(' / ')
  }

  /** Like `of`, for places where only two languages fit beside a title. */
  short(text: CardText): string {
    return this.languages.length > 2 ? this.first(text) : this.of(text)
  }

  each(text: CardText): string[] {
    return this.languages.map((language) => text[language])
  }

  first(text: CardText): string {
    return text[this.languages[0] ?? 'ru']
  }

  /** The name for an OID, or else the OID itself. */
  name(id: string, names: Readonly<Record<string, { readonly ru: string; readonly kk: string }>>): string {
    const known = names[id]
    const inLanguage = (language: CardLanguage) =>
      (language === 'en' ? englishNames[id] : known?.[language]) ?? known?.ru ?? id
    return [...new Set(this.languages.map(inLanguage))].join(' / ')
  }

  /** Like "2021.01.31 13:45:00 UTC+5". */
  time(at: number): string {
    const [date = '', time = ''] = new Date(at + this.utcOffset * 3_600_000).toISOString().split('T')
    const sign = this.utcOffset < 0 ? '-' : '+'
    return `${date.replaceAll('-', '.')} ${time.slice(0, 8)} UTC${sign}${Math.abs(this.utcOffset)}`
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
