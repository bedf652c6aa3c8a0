import { defineErrors } from '../kernel/error.js'

export const ledgerErrors = defineErrors({
  shareTaken: {
    kind: 'tooMany',
    message: 'Share of the service is taken',
    ru: 'Ваша доля ресурсов сервиса исчерпана',
    kk: 'Сервис ресурстарындағы үлесіңіз таусылды',
    description:
      'The caller uses as much of the service as one caller may at a time: details.resource says what. Log in for a larger share, finish or wait for what is under way, and repeat after the seconds of the Retry-After header.',
  },
  serviceBusy: {
    kind: 'unavailable',
    message: 'Service is busy',
    ru: 'Сервис перегружен',
    kk: 'Сервиске түскен жүктеме тым көп',
    description:
      'All callers together use all that the service has, or strangers all that is set aside for them: details.resource says what. Nothing was done; repeat after the seconds of the Retry-After header.',
  },
})
