import { type CardLanguage, englishNames } from '@signed-registry/core'
import { plain, type Run, type Said, sayWith } from './said.js'
import type { CardText } from './texts.js'

/** The texts of one card. */
export class Words {
  constructor(
    private readonly languages: readonly CardLanguage[],
    private readonly utcOffset: number,
  ) {}

  /** In all languages of the card, on one line. */
  of(text: CardText): Said {
    return this.joined((language) => text[language])
  }

  /** Like `of`, for places where only two languages fit beside a title. */
  short(text: CardText): string {
    return this.languages.length > 2 ? this.first(text) : plain(this.of(text))
  }

  /** In each language of the card. */
  each(text: CardText): Run[] {
    return this.languages.map((language) => ({ text: text[language], lang: this.marked(language) }))
  }

  first(text: CardText): string {
    return text[this.languages[0] ?? 'ru']
  }

  /** The name for an OID, or else the OID itself. */
  name(id: string, names: Readonly<Record<string, { readonly ru: string; readonly kk: string }>>): Said {
    const known = names[id]
    const inLanguage = (language: CardLanguage) =>
      (language === 'en' ? englishNames[id] : known?.[language]) ?? known?.ru ?? id
    return this.joined(inLanguage)
  }

  /** Like "2021.01.31 13:45:00 UTC+5". */
  time(at: number): string {
    const [date = '', time = ''] = new Date(at + this.utcOffset * 3_600_000).toISOString().split('T')
    const sign = this.utcOffset < 0 ? '-' : '+'
    return `${date.replaceAll('-', '.')} ${time.slice(0, 8)} UTC${sign}${Math.abs(this.utcOffset)}`
  }

  /** What is said in all languages of the card; equal texts once. */
  private joined(inLanguage: (language: CardLanguage) => string): Said {
    const texts = new Map<string, CardLanguage>()
    for (const language of this.languages) {
      const text = inLanguage(language)
      if (!texts.has(text)) texts.set(text, language)
    }
    const runs = [...texts].map(([text, language]) => [{ text, lang: this.marked(language) }])
    return sayWith(' / ', runs)
  }

  /** The language of a text where it is not that of the card, which is the first. */
  private marked(language: CardLanguage): CardLanguage | undefined {
    return language === this.languages[0] ? undefined : language
  }
}
