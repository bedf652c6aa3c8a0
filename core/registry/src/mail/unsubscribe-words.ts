import type { Refusable } from './news.js'

/** Texts of the unsubscribe page. */
interface PageWords {
  readonly title: string
  readonly ask: string
  readonly refused: string
  readonly accepted: string
  readonly unknown: string
  readonly refuse: string
  readonly acceptAgain: string
  readonly kinds: Readonly<Record<Refusable, string>>
}

/** Texts of the unsubscribe page by language. */
export const unsubscribeWords: Readonly<Record<'ru' | 'kk' | 'en', PageWords>> = {
  ru: {
    title: 'Письма сервиса',
    ask: 'Больше не присылать вам такие письма?',
    refused: 'Готово: такие письма больше не придут на ваш адрес, кто бы его ни указал.',
    accepted: 'Готово: такие письма снова будут приходить.',
    unknown: 'Эта ссылка не от нашего сервиса или повреждена.',
    refuse: 'Больше не присылать',
    acceptAgain: 'Присылать снова',
    kinds: {
      registered: 'Письма о новых документах',
      signatures: 'Письма о новых подписях',
      ownDocuments: 'Письма о подписях под тем, что подписали вы',
      packages: 'Письма о пакетах документов',
      items: 'Письма о входящих и исходящих',
    },
  },
  kk: {
    title: 'Сервис хаттары',
    ask: 'Мұндай хаттарды бұдан былай жібермейміз бе?',
    refused: 'Дайын: мекенжайыңызды кім көрсетсе де, мұндай хаттар бұдан былай келмейді.',
    accepted: 'Дайын: мұндай хаттар қайтадан келетін болады.',
    unknown: 'Бұл сілтеме біздің сервистікі емес немесе бүлінген.',
    refuse: 'Бұдан былай жібермеу',
    acceptAgain: 'Қайта жіберу',
    kinds: {
      registered: 'Жаңа құжаттар туралы хаттар',
      signatures: 'Жаңа қолтаңбалар туралы хаттар',
      ownDocuments: 'Сіз қол қойған құжаттардағы қолтаңбалар туралы хаттар',
      packages: 'Құжаттар пакеттері туралы хаттар',
      items: 'Кіріс пен шығыс туралы хаттар',
    },
  },
  en: {
    title: 'E-mails from this service',
    ask: 'Stop sending you e-mails of this kind?',
    refused: 'Done: e-mails of this kind will no longer be sent to your address, whoever gives it.',
    accepted: 'Done: you will receive them again.',
    unknown: 'This link is not from our service, or it is damaged.',
    refuse: 'Stop sending',
    acceptAgain: 'Send them again',
    kinds: {
      registered: 'E-mails about new documents',
      signatures: 'E-mails about new signatures',
      ownDocuments: 'E-mails about signatures on what you signed',
      packages: 'E-mails about packages of documents',
      items: 'E-mails about incoming and outgoing items',
    },
  },
}
