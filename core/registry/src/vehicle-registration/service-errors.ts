import { vehicleErrors } from './errors.js'

/** What `errors.service` of a delivery record may say; a plugin has more of its own. Published by `GET /api/strings`. */
export const SERVICE_ERRORS = {
  noPlugin: {
    message: 'No plugin forwards documents',
    ru: 'Передача документов не настроена',
    kk: 'Құжаттарды беру бапталмаған',
  },
  notStored: vehicleErrors.texts.signedDataNotStored,
  tooLarge: {
    message: 'The original is too large to be forwarded',
    ru: 'Подлинник слишком велик для передачи',
    kk: 'Түпнұсқа беру үшін тым үлкен',
  },
  noAnswer: {
    message: 'The authority gave no answer',
    ru: 'Орган регистрации не ответил',
    kk: 'Тіркеу органы жауап бермеді',
  },
} as const
