import { defineErrors } from '../kernel/error.js'

export const logErrors = defineErrors({
  logNotFound: {
    kind: 'absent',
    message: 'There is no such log, tile or checkpoint',
    ru: 'Нет такого журнала, его части или контрольной точки',
    kk: 'Мұндай журнал, оның бөлігі немесе бақылау нүктесі жоқ',
    description: 'The log has another name, or the tree is not as large yet; tiles end with the newest checkpoint.',
  },
  logNotKept: {
    kind: 'absent',
    message: 'This registry keeps no log',
    ru: 'Этот реестр не ведёт журнал',
    kk: 'Бұл тізілім журнал жүргізбейді',
    description: 'The operator has turned the log off.',
  },
  logUnreadable: {
    kind: 'unavailable',
    message: 'The log cannot be read now',
    ru: 'Журнал сейчас нельзя прочитать',
    kk: 'Журналды қазір оқу мүмкін емес',
    description:
      'A part of the log is lost or was changed in the database, so it is not served; the operator has to restore it.',
  },
})
