import { defineErrors } from '../kernel/error.js'

export const originalErrors = defineErrors({
  processedSizeDiffers: {
    kind: 'invalid',
    message: 'The processed data size does not match the one passed in HTTP Content-Length request header',
    ru: 'Размер обработанных данных не соответствует заголовку HTTP Content-Length',
    kk: 'Өңделген деректер өлшемі HTTP Content-Length тақырыбындағыға сәйкес емес',
    description: 'Send the whole original, with its exact size in Content-Length.',
  },
  archiveNotFound: {
    kind: 'absent',
    message: 'Archive not found',
    ru: 'Архив не найден',
    kk: 'Мұрағат табылмады',
    description:
      'The registry keeps the hashes of this document alone: its original is neither archived nor in temporary storage.',
  },
  rangeNotSatisfiable: {
    kind: 'invalid',
    message: 'Requested range is outside of document data',
    ru: 'Запрошенный диапазон вне данных документа',
    kk: 'Сұралған ауқым құжат деректерінен тыс',
    description: 'The Range header begins after the last octet of the original; details say how many octets it has.',
  },
  archivalStarted: {
    kind: 'conflict',
    message: 'Document data archival is started by another user',
    ru: 'Архивирование данных документа уже начал другой пользователь',
    kk: 'Құжат деректерін мұрағаттауды басқа пайдаланушы бастады',
    description: 'The original of this document is being stored by another request; repeat when that one has ended.',
  },
  archiveFailed: {
    kind: 'unavailable',
    message: 'Failed to archive document data',
    ru: 'Не удалось архивировать данные документа',
    kk: 'Құжат деректерін мұрағаттау мүмкін болмады',
    description:
      'The archive cannot be reached, and the document is not to be registered without its original. Repeat later.',
  },
  archiveFull: {
    kind: 'full',
    message: 'Archive has no room',
    ru: 'В архиве нет места',
    kk: 'Мұрағатта орын жоқ',
    description:
      'The archive has no room for this original; nothing was stored. Tell the administrator of the service.',
  },
  archiveNotRead: {
    kind: 'unavailable',
    message: 'Failed to prepare archived data',
    ru: 'Не удалось подготовить архивные данные',
    kk: 'Мұрағаттық деректерді дайындау мүмкін болмады',
    description: 'The archive cannot be reached, or does not hold what was given to it. Repeat later.',
  },
})
