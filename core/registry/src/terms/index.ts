import { signatureTerms, type Term } from '@signed-registry/verifier'

export { capital, type Term } from '@signed-registry/verifier'

const term = (ru: string, kk: string, en: string): Term => ({ ru, kk, en })

/** One word for each thing, which every text for people uses (docs/naming.md). */
export const terms = {
  ...signatureTerms,
  package: term('пакет', 'пакет', 'package'),
  card: term('карточка документа', 'құжат карточкасы', 'document card'),
  attachedFile: term('вложенный файл', 'тіркемеленген файл', 'attached file'),
  webhook: term('вебхук', 'вебхук', 'webhook'),
  comment: term('комментарий', 'түсініктеме', 'comment'),
  status: term('статус', 'мәртебе', 'status'),
  sender: term('отправитель', 'жіберуші', 'sender'),
  receiver: term('получатель', 'алушы', 'recipient'),
  archive: term('архив', 'мұрағат', 'archive'),
  subscription: term('подписка', 'жазылым', 'subscription'),
  service: term('сервис', 'сервис', 'service'),
  registry: term('реестр', 'тізілім', 'registry'),
  mobileApp: term('мобильное приложение', 'мобильді қолданба', 'mobile app'),
  megabytes: term('МБ', 'МБ', 'MB'),
} as const
