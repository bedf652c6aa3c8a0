/** Languages that mails are written in. */
const MAIL_LANGUAGES = ['ru', 'kk', 'en'] as const
export type Language = (typeof MAIL_LANGUAGES)[number]

/** The languages of a tag such as `kk/en`, each once. */
export function languagesOf(tag: string): Language[] {
  const wanted = new Set(tag.split('/'))
  return [...wanted].flatMap((one) => MAIL_LANGUAGES.find((language) => language === one) ?? [])
}
