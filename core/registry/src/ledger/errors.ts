import { defineErrors } from '../kernel/error.js'

export const ledgerErrors = defineErrors({
  shareTaken: {
    kind: 'tooMany',
    message: 'Share of the service is taken',
    ru: 'Доля ресурсов сервиса исчерпана',
    kk: 'Қызмет ресурстарының үлесі таусылды',
    description:
      'The caller takes as much of the service as one caller may at a time: details.resource says of what. Log in for a larger share, end or wait for what is under way, and repeat after the seconds of the Retry-After header.',
  },
  serviceBusy: {
    kind: 'unavailable',
    message: 'Service is busy',
    ru: 'Сервис перегружен',
    kk: 'Қызмет бос емес',
    description:
      'All callers together take as much of the service as it has, or strangers as much as is there for them: details.resource says of what. Nothing was done; repeat after the seconds of the Retry-After header.',
  },
})
