import { defineErrors } from '../kernel/error.js'
import type { Unclean } from '../originals/index.js'

export const bundleErrors = defineErrors({
  evidenceNotBuilt: {
    kind: 'unacceptable',
    message: 'Failed to build evidence bundle',
    ru: 'Не удалось сформировать файл доказательств',
    kk: 'Дәлелдемелер файлын қалыптастыру мүмкін болмады',
    description:
      'details.reason says why: there are tooManySignatures, more than details.limit, or their evidence is tooLarge, more than details.limit bytes; for a package, ask for its documents one by one.',
  },
  evidenceNotSigned: {
    kind: 'conflict',
    message: 'There are no signatures to prove',
    ru: 'Нет подписей, которые можно подтвердить',
    kk: 'Растайтын қолтаңбалар жоқ',
    description: 'Nobody has signed the document yet, or any document of the package.',
  },
  evidenceUnavailable: {
    kind: 'unavailable',
    message: 'Registry makes no evidence bundles',
    ru: 'Реестр не формирует файлы доказательств',
    kk: 'Тізілім дәлелдемелер файлдарын қалыптастырмайды',
    description: 'No plugin writes or reads evidence bundles in this registry.',
  },
  evidenceNotProved: {
    kind: 'unacceptable',
    message: 'Evidence bundle is not proved',
    ru: 'Файл доказательств не подтверждён',
    kk: 'Дәлелдемелер файлы расталмады',
    description:
      'Something in the bundle was changed, or does not prove what it should: details.problems and details.file say what. POST /api/checkEvidence tells everything about it. Nothing was registered.',
  },
  evidenceWithoutOriginal: {
    kind: 'unacceptable',
    message: 'Evidence bundle has no original',
    ru: 'В файле доказательств нет подлинника',
    kk: 'Дәлелдемелер файлында түпнұсқа жоқ',
    description:
      'Documents are registered with their originals: send a bundle that has them; details.documentId names one without.',
  },
  evidenceSignaturesNotRegistered: {
    kind: 'conflict',
    message: 'Some of evidence bundle signatures are not registered',
    ru: 'Некоторые подписи файла доказательств не зарегистрированы',
    kk: 'Дәлелдемелер файлының кейбір қолтаңбалары тіркелмеген',
    description: 'registerUnknownSignatures=true registers them; details.files names them.',
  },
  evidenceOfDifferentDocuments: {
    kind: 'unacceptable',
    message: 'Evidence bundle has signatures of one document that are registered under different documents',
    ru: 'Подписи одного документа из файла доказательств зарегистрированы под разными документами',
    kk: 'Дәлелдемелер файлындағы бір құжаттың қолтаңбалары әртүрлі құжаттардың астында тіркелген',
    description:
      'Every signature of a document in a bundle is registered under one document, or not at all; details.documentId is the one in the bundle.',
  },
  evidenceContentNotClean: {
    kind: 'unacceptable',
    message: 'Evidence bundle content is not safe',
    ru: 'Содержимое файла доказательств небезопасно',
    kk: 'Дәлелдемелер файлының мазмұны қауіпті',
    description:
      'The scanner of the registry found malware in the original, details.name, or it is too large to be scanned: details.reason is infected or tooLarge.',
  },
  evidenceContentNotScanned: {
    kind: 'unavailable',
    message: 'Evidence bundle content could not be scanned',
    ru: 'Не удалось проверить содержимое файла доказательств антивирусом',
    kk: 'Дәлелдемелер файлының мазмұнын антивируспен тексеру мүмкін болмады',
    description: 'The scanner of the registry does not answer, and no bundle is taken in without it. Try again later.',
  },
})

/** How bundles refuse content that is not known to be clean. */
export const uncleanBundle: Unclean = {
  notClean: (details) => bundleErrors.error('evidenceContentNotClean', details),
  notScanned: (cause) => bundleErrors.error('evidenceContentNotScanned', {}, cause),
}
