import { defineErrors } from '../kernel/error.js'

export const reportErrors = defineErrors({
  statementKeyMissing: {
    kind: 'absent',
    message: 'Registry has no statement key',
    ru: 'У реестра нет ключа для подписания отчётов',
    kk: 'Тізілімде есептерге қол қоятын кілт жоқ',
    description: 'The registry signs nothing of its own: its reports come without a note.',
  },
})
