import { defineErrors } from '../kernel/error.js'
import type { Unclean } from '../originals/index.js'

export const cardErrors = defineErrors({
  cardNotBuilt: {
    kind: 'unacceptable',
    message: 'Failed to build digital document card',
    ru: 'Не удалось сформировать карточку электронного документа',
    kk: 'Электрондық құжат карточкасын қалыптастыру мүмкін болмады',
    description:
      'The card cannot be made; details.reason says why: the PDF is encrypted, broken, too large, takes too long, or has too many pages or objects. withoutDocumentVisualization=true leaves its pages out.',
  },
  cardNotParsed: {
    kind: 'unacceptable',
    message: 'Failed to parse digital document card',
    ru: 'Не удалось разобрать карточку электронного документа',
    kk: 'Электрондық құжат карточкасын талдау мүмкін болмады',
    description:
      'This is not a card: a card is a PDF with an attached original and at least one attached signature. details.reason says what is wrong.',
  },
  cardsBusy: {
    kind: 'unavailable',
    message: 'Too many digital document cards are being processed',
    ru: 'Сейчас обрабатывается слишком много карточек электронных документов',
    kk: 'Өңделіп жатқан электрондық құжат карточкалары тым көп',
    description:
      'Try again in a moment: nothing is said about the file. details.reason is busy, failed where making or reading it broke off, or unavailable where the host makes no cards or stops.',
  },
  cardContentNotClean: {
    kind: 'unacceptable',
    message: 'Digital document card content is not safe',
    ru: 'Содержимое карточки электронного документа небезопасно',
    kk: 'Электрондық құжат карточкасының мазмұны қауіпті',
    description:
      'The scanner of the registry found malware in the original, details.name, or it is too large to be scanned: details.reason is infected or tooLarge.',
  },
  cardContentNotScanned: {
    kind: 'unavailable',
    message: 'Digital document card content could not be scanned',
    ru: 'Не удалось проверить содержимое карточки электронного документа антивирусом',
    kk: 'Электрондық құжат карточкасының мазмұнын антивируспен тексеру мүмкін болмады',
    description:
      'The scanner of the registry does not answer, and no card is made or read without it. Try again later.',
  },
  notSupportedDocumentType: {
    kind: 'invalid',
    message: 'Not supported document type',
    ru: 'Тип документа не поддерживается',
    kk: 'Құжат түріне қолдау көрсетілмейді',
    description:
      'Only the pages of a PDF can be shown, by a name that ends in .pdf; withoutDocumentVisualization=true makes a card of any document.',
  },
  noSignaturesInFormat: {
    kind: 'conflict',
    message: 'Document does not have signatures in required format',
    ru: 'У документа нет подписей в требуемом формате',
    kk: 'Құжатта қажетті пішімдегі қолтаңбалар жоқ',
    description: 'The document has no CMS signatures yet.',
  },
  signaturesNotOverDocument: {
    kind: 'conflict',
    message: 'Some signatures are over parts of the document or over a list of files',
    ru: 'Некоторые подписи сделаны под частями документа или под списком файлов',
    kk: 'Кейбір қолтаңбалар құжаттың бөліктеріне немесе файлдар тізіміне қойылған',
    description:
      'A card holds signatures over all of the document; details.signId is one that came in a PDF or a container. Hand out the original file, or an evidence bundle.',
  },
  signaturesInOtherFormat: {
    kind: 'conflict',
    message: 'Document has signatures in not supported by this operation format',
    ru: 'У документа есть подписи в формате, который не поддерживается этой операцией',
    kk: 'Құжатта бұл операция қолдамайтын пішімдегі қолтаңбалар бар',
    description: 'The operation takes documents all of whose signatures are CMS.',
  },
  cardSignatureFormat: {
    kind: 'unacceptable',
    message: 'Digital document card has signature in invalid format',
    ru: 'Карточка электронного документа содержит подпись в недопустимом формате',
    kk: 'Электрондық құжат карточкасында пішімі жарамсыз қолтаңба бар',
    description: 'An attached signature is not a detached CMS; details.file names it.',
  },
  cardOfDifferentDocuments: {
    kind: 'unacceptable',
    message: 'Digital document card contains signatures that correspond to different registered documents',
    ru: 'Карточка электронного документа содержит подписи под разными зарегистрированными документами',
    kk: 'Электрондық құжат карточкасында әртүрлі тіркелген құжаттарға қойылған қолтаңбалар бар',
    description: 'Every signature of a card is under one document.',
  },
  cardDocumentNotRegistered: {
    kind: 'absent',
    message: 'Digital document card original document is not registered',
    ru: 'Подлинник из карточки электронного документа не зарегистрирован',
    kk: 'Электрондық құжат карточкасындағы түпнұсқа тіркелмеген',
    description: 'None of the signatures of the card is registered here.',
  },
  cardSignaturesNotRegistered: {
    kind: 'conflict',
    message: 'Some of digital document card signatures are not registered',
    ru: 'Некоторые подписи карточки электронного документа не зарегистрированы',
    kk: 'Электрондық құжат карточкасының кейбір қолтаңбалары тіркелмеген',
    description: 'registerUnknownSignatures=true registers them; details.files names them.',
  },
  qrVersionTooLow: {
    kind: 'invalid',
    message: 'QR code versions lower than 11 are not allowed',
    ru: 'Версии QR-кодов ниже 11 не допускаются',
    kk: 'QR-кодтың 11-ден төмен нұсқаларына рұқсат етілмейді',
    description: 'qrVersion is 11 to 40.',
  },
})

/** How cards refuse content that is not known to be clean. */
export const uncleanCard: Unclean = {
  notClean: (details) => cardErrors.error('cardContentNotClean', details),
  notScanned: (cause) => cardErrors.error('cardContentNotScanned', {}, cause),
}
