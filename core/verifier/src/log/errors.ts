import { defineErrors } from '../error.js'

export const logErrors = defineErrors({
  logNotRead: {
    kind: 'invalid',
    message: 'Data of the transparency log cannot be read',
    ru: 'Не удалось прочитать данные журнала прозрачности',
    kk: 'Ашықтық журналының деректерін оқу мүмкін болмады',
    description:
      'It is not in the form that its specification has: details.reason says of what (bundle, entry, leaf), details.line in which line.',
  },
})
