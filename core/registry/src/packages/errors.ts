import { defineErrors } from '../kernel/error.js'

export const packageErrors = defineErrors({
  packageNotFound: {
    kind: 'absent',
    message: 'Package not found',
    ru: 'Пакет не найден',
    kk: 'Пакет табылмады',
    description: 'No package has this identifier.',
  },
  invalidPackageIdentifier: {
    kind: 'invalid',
    message: 'Invalid package identifier',
    ru: 'Некорректный идентификатор пакета',
    kk: 'Пакет идентификаторы дұрыс емес',
    description: 'A package identifier is 16 characters of A-Z, a-z and 0-9.',
  },
  invalidPackageSettings: {
    kind: 'invalid',
    message: 'Invalid format of provided package settings',
    ru: 'Некорректный формат настроек пакета',
    kk: 'Пакет баптауларының пішімі дұрыс емес',
    description: 'A package setting has a wrong value; details name it.',
  },
  packageWithoutDocuments: {
    kind: 'invalid',
    message: 'Package has no documents',
    ru: 'В пакете нет документов',
    kk: 'Пакетте құжаттар жоқ',
    description: 'A package has at least one document.',
  },
  signaturesCountDiffers: {
    kind: 'invalid',
    message: 'Number of signatures does not match the number of documents in the package',
    ru: 'Количество подписей не соответствует количеству документов пакета',
    kk: 'Қолтаңбалар саны пакет құжаттарының санына сәйкес емес',
    description: 'Send one signature for each document, in the order of documentsIds of the package.',
  },
})
